/**
 * The decision core.
 *
 * @module
 */
export type { Node } from './api/node.ts';
export type { Pod } from './api/pod.ts';
export { BatchResult } from './core/batch-result.ts';
export type { ObjectKind, ObjectKinds } from './core/cache/cluster-objects.ts';
export type { SchedulerConfiguration, SchedulerProfile } from './core/config/configuration.ts';
export { encodeConfiguration, encodeProfileArgs } from './core/config/encode-configuration.ts';
export type { ConfigurationError } from './core/config/field-error.ts';
export { type LoadedConfiguration, loadConfiguration } from './core/config/load-configuration.ts';
export type { EngineName, TieBreak } from './core/engine/engine.ts';
export type { ExtenderBinding } from './core/extenders/bind.ts';
export type { ExtenderRequest, ExtenderResponse, ExtenderTransport } from './core/extenders/transport.ts';
export { CycleState, type StateKey, stateKey } from './core/framework/cycle-state.ts';
export type { NodeInfo } from './core/framework/node-info.ts';
export type { PodNominator, PreFilterResult, Snapshot } from './core/framework/plugin.ts';
export type { PodInfo } from './core/framework/pod-info.ts';
export type { NodeToStatus } from './core/framework/post-filter.ts';
export type { Code, Status } from './core/framework/status.ts';
export type * from './core/framework/user-plugin.ts';
export type { Explanation, NodeExplanation, PluginScore, ScheduleResult, SearchExplanation } from './core/result.ts';
export { Scheduler } from './core/scheduler.ts';
export { SchedulerError, type SchedulerErrorCode } from './core/scheduler-error.ts';
export type { SchedulerOptions } from './core/scheduler-options.ts';
export { type PhaseReport, type PhaseTime, PhaseTimes } from './core/tracing/phase-times.ts';
export type { RecordedDecision, Span, SpanSink } from './core/tracing/span.ts';
export { SpanRecorder, type SpanRecorderOptions } from './core/tracing/span-recorder.ts';
export { TraceEvents, type TraceEventsOptions } from './core/tracing/trace-events.ts';
export type { Phase, Trace, Tracer } from './core/tracing/tracer.ts';
export { ChromeTrace } from './lib/chrome-trace.ts';
