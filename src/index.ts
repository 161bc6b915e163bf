/**
 * The decision core.
 *
 * @module
 */

export type { ObjectKind, ObjectKinds } from './api/kinds.ts';
export type { Node } from './api/node.ts';
export type { Pod } from './api/pod.ts';
export type { SchedulerConfiguration, SchedulerProfile } from './config/configuration.ts';
export type { ConfigurationError } from './config/decode/field-error.ts';
export { encodeConfiguration } from './config/encode-configuration.ts';
export type { LoadedConfiguration } from './config/read-configuration.ts';
export { BatchResult } from './core/batch-result.ts';
export type {
  Explanation,
  NodeExplanation,
  PluginScore,
  ScheduleResult,
  SearchExplanation,
} from './core/decision/result.ts';
export type { ExtenderBinding } from './core/extenders/bind.ts';
export type { ExtenderTransport } from './core/extenders/transport.ts';
export { encodeProfileArgs, loadConfiguration } from './core/load-configuration.ts';
export { Scheduler } from './core/scheduler.ts';
export type { SchedulerOptions } from './core/scheduler-options.ts';
export type { EngineName } from './engine/cycle/engine.ts';
export { CycleState, type StateKey, stateKey } from './framework/cycle-state.ts';
export type { ExtenderRequest, ExtenderResponse } from './framework/extender-calls.ts';
export type { NodeColumnsView } from './framework/node-columns-view.ts';
export type { NodeInfo } from './framework/node-info.ts';
export type { PodNominator, PreFilterResult, Snapshot } from './framework/plugin.ts';
export type { PluginAnswer, PluginStatus } from './framework/plugin-status.ts';
export type { PodInfo } from './framework/pod-info.ts';
export type { NodeToStatus } from './framework/post-filter.ts';
export type { QueuedPod } from './framework/queued-pod.ts';
export { SchedulerError, type SchedulerErrorCode } from './framework/scheduler-error.ts';
export type { Code, Status } from './framework/status.ts';
export type { TieBreak } from './framework/tie-break.ts';
export { type PhaseReport, type PhaseTime, PhaseTimes } from './framework/tracing/phase-times.ts';
export type { RecordedDecision, Span, SpanSink } from './framework/tracing/span.ts';
export { SpanRecorder, type SpanRecorderOptions } from './framework/tracing/span-recorder.ts';
export { TraceEvents, type TraceEventsOptions } from './framework/tracing/trace-events.ts';
export type { Phase, Trace, Tracer } from './framework/tracing/tracer.ts';
export type * from './framework/user-plugin.ts';
export { ChromeTrace } from './lib/chrome-trace.ts';
export { HttpPoster as HttpExtenderTransport } from './lib/http-poster.ts';
export {
  LineLogger,
  type LineLoggerOptions,
  type Logger,
  type LogLevel,
  type LogValue,
  type LogValues,
} from './lib/logger.ts';
