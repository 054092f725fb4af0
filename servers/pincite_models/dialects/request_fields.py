"""The fields of a request by dialect, and what each would open: known and harmless, closed, or not known.

Made from the providers' published requests (their SDKs of November 2026) and the sampling fields of vLLM, SGLang,
llama.cpp, Ollama, OpenRouter and DashScope. Names are those of the API; Gemini's are in camel case.

A *closed* field reaches past the trial: what the provider stores (earlier responses, conversations, prompts, files,
caches), what it would look up or run, another model or account. It is closed by its presence: ``{}`` and ``[]`` open as
much as a value does. Only ``null`` is harmless, which every API takes for a field that is not there, and ``false`` for
a *switch*. ``store`` passes: it leaves something at the provider, and every field that would read it is closed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite_models.dialects.model import DialectName

_STATE = "state that the provider stored"
_SEARCH = "a search of the provider's"
_MODELS = "another model or route than the trial's"
_FILES = "files at the provider"
_ACCOUNT = "another account or payer"
_PLUGINS = "plugins of the provider"
_MCP = "MCP servers that the provider would call"
_LATER = "an answer that would not pass this door"


@dataclass(frozen=True, slots=True)
class RequestFields:
    """The top-level fields of one dialect; those of ``closed`` and ``switches`` with what they would open."""

    passing: frozenset[str]
    closed: Mapping[str, str]
    switches: Mapping[str, str] = field(default_factory=dict[str, str])
    inner: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Fields whose own fields have a list too."""


def words(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


_ANTHROPIC = RequestFields(
    words(
        "model messages max_tokens system temperature top_p top_k stop_sequences stream metadata thinking tools"
        " tool_choice service_tier cache_control context_management compaction output_config output_format"
        " inference_geo speed anthropic_version"
    ),
    {
        "container": _STATE,
        "thread": _STATE,
        "diagnostics": _STATE,
        "mcp_servers": _MCP,
        "fallbacks": _MODELS,
        "fallback_credit_token": _ACCOUNT,
        "billing_policy": _ACCOUNT,
        "user_profile_id": _ACCOUNT,
        "workspace_id": _ACCOUNT,
    },
)
_SAMPLING = words(
    "seed stop stop_token_ids temperature top_p top_k top_a min_p typical_p tfs_z frequency_penalty presence_penalty"
    " repetition_penalty repeat_penalty length_penalty repeat_last_n mirostat mirostat_tau mirostat_eta"
    " dynatemp_range dynatemp_exponent xtc_probability xtc_threshold dry_multiplier dry_base dry_allowed_length"
    " dry_penalty_last_n dry_sequence_breakers min_tokens ignore_eos include_stop_str_in_output skip_special_tokens"
    " spaces_between_special_tokens bad_words allowed_token_ids truncate_prompt_tokens prompt_logprobs echo"
    " add_generation_prompt continue_final_message add_special_tokens chat_template_kwargs guided_json guided_regex"
    " guided_choice guided_grammar guided_decoding_backend guided_whitespace_pattern structured_outputs grammar"
    " json_schema regex ebnf priority request_id return_token_ids return_tokens_as_token_ids cache_salt cache_prompt"
    " use_beam_search best_of early_stopping samplers n_predict n_probs min_keep timings_per_token reasoning_format"
    " enable_thinking thinking_budget preserve_thinking thinking think include_reasoning separate_reasoning"
    " stream_reasoning reasoning_split keep_alive options format safe_prompt random_seed prompt_mode tool_stream"
    " do_sample user_id vl_high_resolution_images usage transforms"
)
_OPENAI = words(
    "model stream stream_options tools tool_choice parallel_tool_calls metadata user service_tier store moderation"
    " safety_identifier prompt_cache_key prompt_cache_options prompt_cache_retention top_logprobs reasoning verbosity"
    " modalities image_config session_id"
)
_ROUTING = {
    "models": _MODELS,
    "provider": _MODELS,
    "route": _MODELS,
    "fallbacks": _MODELS,
    "preset": _STATE,
    "plugins": _PLUGINS,
    "search_parameters": _SEARCH,
    "web_search_options": _SEARCH,
}
_RESPONSES = RequestFields(
    _OPENAI
    | _SAMPLING
    | words(
        "input instructions include max_output_tokens max_tool_calls text truncation context_management personality"
        " client_metadata image access_programs"
    ),
    {"previous_response_id": _STATE, "conversation": _STATE, "prompt": _STATE, "background_options": _LATER} | _ROUTING,
    {"background": _LATER},
)
_CHAT = RequestFields(
    _OPENAI
    | _SAMPLING
    | words(
        "messages max_tokens max_completion_tokens n logit_bias logprobs response_format reasoning_effort functions"
        " function_call audio prediction documents"
    ),
    {
        "search_options": _SEARCH,
        "search_settings": _SEARCH,
        "compound_custom": _SEARCH,
        "data_sources": _SEARCH,
        "file_ids": _FILES,
        "attachments": _FILES,
        "extra_body": "fields of another API",
        "previous_response_id": _STATE,
        "conversation": _STATE,
        "container": _STATE,
        "mcp_servers": _MCP,
    }
    | _ROUTING,
    {
        "background": _LATER,
        "deferred": _LATER,
        "enable_search": _SEARCH,
        "enable_code_interpreter": "a tool of the provider's",
    },
)
_GOOGLE = RequestFields(
    words(
        "model contents systemInstruction tools toolConfig safetySettings generationConfig labels serviceTier store"
        " generateContentRequest"
    ),
    {"cachedContent": _STATE, "continuationToken": _STATE},
    inner={
        "generationConfig": words(
            "temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs"
            " presencePenalty frequencyPenalty seed responseMimeType responseSchema responseJsonSchema"
            " responseModalities responseFormat mediaResolution speechConfig thinkingConfig imageConfig"
            " enableEnhancedCivicAnswers audioTimestamp audioTranscriptionConfig automaticContinuation"
            " generationOutputConfig enableAffectiveDialog"
        )
    },
)
EMBEDDING_FIELDS = RequestFields(
    words(
        "model input dimensions encoding_format user input_type truncate truncation output_dtype output_dimension"
        " task normalized embedding_type late_chunking priority request_id truncate_prompt_tokens"
    ),
    _ROUTING,
)
"""The fields of a request for vectors, of OpenAI's API and of compatible servers."""
REQUEST_FIELDS: Mapping[DialectName, RequestFields] = {
    "anthropic.messages": _ANTHROPIC,
    "openai.responses": _RESPONSES,
    "openai.chat": _CHAT,
    "google.generate": _GOOGLE,
}

PARTS: Mapping[str, str] = {
    "file_id": _FILES,
    "container_id": _STATE,
    "item_reference": _STATE,
    "container_upload": _FILES,
    "audio_id": _STATE,
}
"""What is closed inside messages: ids of files and containers, Responses items and Anthropic blocks that stand for what
the provider stored, and the id of an answer in sound."""


def closed_names() -> frozenset[str]:
    """Every name that a task can open with ``open_fields``."""
    names = set(PARTS)
    for fields in REQUEST_FIELDS.values():
        names |= {*fields.closed, *fields.switches}
    return frozenset(names)


def web_names() -> frozenset[str]:
    """Those of them that lead out to the web."""
    names: set[str] = set()
    for fields in REQUEST_FIELDS.values():
        for name, opens in {**fields.closed, **fields.switches}.items():
            if opens in (_SEARCH, _PLUGINS, _MCP):
                names.add(name)
    return frozenset(names)
