"""Proxy: the MCP server that the agent sees in front of one upstream."""

import asyncio
from contextvars import ContextVar
from typing import Any, Literal

import mcp_types as types
import orjson
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel

from pincite_core.calling import META_KEY
from pincite_core.errors import UnavailableError
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.playback import ToolPlayback
from pincite_doors.recorder import WireRecorder
from pincite_doors.upstream import ResultT, Upstream
from pincite_models.label import SERVER, Label
from pincite_tasks.family import ToolFilter

Context = ServerRequestContext[Any, Any]
Refused = Literal["limit", "not_offered", "unknown"]
"""Why a call never reached a tool: the limit of calls is spent, the trial withholds the tool, there is no such tool."""
_SEQUENCE: ContextVar[int] = ContextVar("sequence")
"""The record number of the request that the current task handles."""


class Proxy:
    """Forwards tools, resources and progress, records each message, enforces filter and limit."""

    def __init__(
        self,
        upstream: Upstream,
        *,
        tools: ToolFilter,
        meter: ToolMeter,
        recorder: WireRecorder,
        media: MediaStore,
        playback: ToolPlayback | None = None,
    ) -> None:
        self._playback = playback
        self._upstream = upstream
        self._filter = tools
        self._meter = meter
        self._recorder = recorder
        self._media = media
        self._refused: dict[int, Refused] = {}
        """Why calls are turned away, by their record numbers, until they are answered."""

    def server(self) -> Server[Any]:
        """The low-level server to mount; it offers what the upstream offers."""
        can = self._upstream.capabilities
        schemas = {name: tool.input_schema for name, tool in self._upstream.tools.items()}
        server: Server[Any] = Server(
            self._upstream.name,
            version=self._upstream.version,
            instructions=self._upstream.instructions,
            # Else the SDK calls tools/list before every tools/call, which would stand in the record.
            get_tool_input_schema=schemas.get,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources if can.resources else None,
            on_list_resource_templates=self._list_templates if can.resources else None,
            on_read_resource=self._read_resource if can.resources else None,
        )
        server.middleware.append(self._record)
        return server

    async def _record(self, ctx: Context, call_next: CallNext) -> HandlerResult:
        params = dict(ctx.params or {})
        size = len(orjson.dumps(params))
        if ctx.request_id is None:
            self._recorder.notification(self._upstream.name, ctx.method, params, size=size)
            return await call_next(ctx)
        protocol = ctx.protocol_version
        sequence = self._recorder.request(self._upstream.name, ctx.method, params, size=size, protocol=protocol)
        _SEQUENCE.set(sequence)
        try:
            result = await call_next(ctx)
        except MCPError as error:
            fault = {"code": error.code, "message": error.message}
            failure: dict[str, Any] = {"error": fault}
            if refused := self._refused.pop(sequence, None):
                failure["refused"] = refused
            self._recorder.response(sequence, failure, size=len(orjson.dumps(fault)))
            raise
        except asyncio.CancelledError:
            self._recorder.response(sequence, {"cancelled": True}, size=0)
            raise
        value = _to_json(result)
        outcome: dict[str, Any] = {"result": self._media.lift(value)}
        if refused := self._refused.pop(sequence, None):
            outcome["refused"] = refused
        self._recorder.response(sequence, outcome, size=len(orjson.dumps(value)))
        return result

    async def _list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        request = types.ListToolsRequest(params=_page(params))
        result = await self._forward(request, types.ListToolsResult)
        return result.model_copy(update={"tools": [tool for tool in result.tools if self._filter.offers(tool.name)]})

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in self._upstream.tools:
            self._refused[_SEQUENCE.get()] = "unknown"
        elif not self._filter.offers(params.name):
            self._refused[_SEQUENCE.get()] = "not_offered"
        if not self._filter.offers(params.name):
            return _tool_error(f"The tool {params.name} is not offered in this trial.\nNext: call tools/list.")
        if not self._meter.take():
            self._refused[_SEQUENCE.get()] = "limit"
            return _tool_error(self._limit_text())
        recorded = self._recorded(params)
        if recorded is not None:
            return recorded
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(
                name=params.name, arguments=params.arguments, _meta=self._meta(params.name)
            )
        )
        sequence = _SEQUENCE.get()

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            self._recorder.progress(sequence, progress, total, message)
            await ctx.session.report_progress(progress, total, message)

        try:
            return await self._upstream.send(request, types.CallToolResult, on_progress)
        except UnavailableError as error:
            then = "the trial ends" if self._upstream.failure is not None else "try again, or go on without it"
            return _tool_error(f"{error}\nNext: this is an outage, not an empty result; {then}.")

    def _recorded(self, params: types.CallToolRequestParams) -> types.CallToolResult | None:
        """The result that a trial which is played back has of this call; None where there is none."""
        if self._playback is None:
            return None
        result = self._playback.find(self._upstream.name, params.name, params.arguments)
        return types.CallToolResult.model_validate(result) if result is not None else None

    async def _list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return await self._forward(types.ListResourcesRequest(params=_page(params)), types.ListResourcesResult)

    async def _list_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        request = types.ListResourceTemplatesRequest(params=_page(params))
        return await self._forward(request, types.ListResourceTemplatesResult)

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """A read counts as a tool call: it gives the agent as much."""
        if not self._meter.take():
            self._refused[_SEQUENCE.get()] = "limit"
            raise MCPError(types.INVALID_REQUEST, self._limit_text())
        request = types.ReadResourceRequest(params=types.ReadResourceRequestParams(uri=params.uri))
        return await self._forward(request, types.ReadResourceResult)

    def _meta(self, tool: str) -> types.RequestParamsMeta | None:
        """What goes with a call to a server of pincite's: the label of the model requests that it causes."""
        if not self._upstream.labelled:
            return None
        label = Label(f"{SERVER}{self._upstream.name}.{tool}", str(_SEQUENCE.get()))
        return {META_KEY: orjson.dumps(label.to_json()).decode()}

    def _limit_text(self) -> str:
        return f"The limit of {self._meter.limit} tool calls is reached.\nNext: write the answer with what you have."

    async def _forward(self, request: types.Request[Any, Any], result_type: type[ResultT]) -> ResultT:
        try:
            return await self._upstream.send(request, result_type)
        except UnavailableError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error


def _page(params: types.PaginatedRequestParams | None) -> types.PaginatedRequestParams:
    return types.PaginatedRequestParams(cursor=params.cursor if params is not None else None)


def _tool_error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


def _to_json(result: HandlerResult) -> Any:
    if isinstance(result, BaseModel):
        return result.model_dump(by_alias=True, mode="json", exclude_none=True)
    return result
