"""Archives: papers that come as zip or tar."""
