import type * as Api from "@opentelemetry/api";

/** `00-<trace id>-<span id>-<flags>` (https://www.w3.org/TR/trace-context/). */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/**
 * The context that a request carries in its `_meta`, by the propagator of the process; where there is none, by
 * `traceparent` and `tracestate` themselves.
 *
 * @param active what a request without one belongs to
 */
export function parentOf(
  api: typeof Api,
  meta: Readonly<Record<string, unknown>>,
  active: Api.Context,
): { readonly context: Api.Context; readonly isCarried: boolean } {
  const carrier = Object.fromEntries(
    ["traceparent", "tracestate", "baggage"].flatMap((key) =>
      typeof meta[key] === "string" ? [[key, meta[key]]] : [],
    ),
  ) as Readonly<Record<string, string>>;
  if (carrier.traceparent === undefined) return { context: active, isCarried: false };
  const extracted = api.propagation.extract(api.ROOT_CONTEXT, carrier);
  if (api.trace.getSpanContext(extracted) !== undefined) return { context: extracted, isCarried: true };
  const [, traceId, spanId, flags] = TRACEPARENT.exec(carrier.traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return { context: active, isCarried: false };
  const { tracestate } = carrier;
  const parent: Api.SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags ?? "0", 16),
    isRemote: true,
    ...(tracestate !== undefined && { traceState: api.createTraceState(tracestate) }),
  };
  if (!api.isSpanContextValid(parent)) return { context: active, isCarried: false };
  return { context: api.trace.setSpanContext(extracted, parent), isCarried: true };
}
