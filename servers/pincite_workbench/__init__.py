"""The workbench server: Python in a sandbox without a network, over the files of a task."""
