/**
 * The decision core.
 *
 * @module kube-berth
 */

export type { IntOrPercent } from './api/int-or-percent.ts';
export type { Kinds, ObjectKind, ObjectKinds } from './api/kinds.ts';
export type { LabelSelector, LabelSelectorRequirement } from './api/label-selector.ts';
export type {
  Condition,
  KubernetesObject,
  Labels,
  ObjectMeta,
  ObjectReference,
  OwnerReference,
  Time,
} from './api/meta.ts';
export type { ContainerImage, Node, NodeCondition, Taint, TaintEffect } from './api/node.ts';
export type {
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from './api/node-selector.ts';
export type {
  Affinity,
  Container,
  ContainerExtendedResourceRequest,
  ContainerPort,
  ContainerRestartRule,
  ContainerState,
  ContainerStateTerminated,
  ContainerStatus,
  EnvVar,
  EnvVarSource,
  Pod,
  PodCondition,
  PodExtendedResourceClaimStatus,
  PodResourceClaim,
  PodResourceClaimStatus,
  PodSpec,
  PodStatus,
  ResourceRequirements,
} from './api/pod.ts';
export type { PodAffinity, PodAffinityTerm, WeightedPodAffinityTerm } from './api/pod-affinity.ts';
export type { PodDisruptionBudget } from './api/pod-disruption-budget.ts';
export type * from './api/pod-group.ts';
export type { PodTemplate } from './api/pod-template.ts';
export type { PriorityClass } from './api/priority-class.ts';
export type { ResourceList } from './api/quantity.ts';
export type * from './api/resource-claims.ts';
export type { Resources } from './api/resources.ts';
export type { ClaimRetention, StatefulSet, StatefulSetSpec, StatefulSetStatus } from './api/stateful-set.ts';
export type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeSpec,
  StorageClass,
  TopologySelectorTerm,
  VolumeAttachment,
} from './api/storage.ts';
export type { Toleration } from './api/taints.ts';
export type { TopologySpreadConstraint } from './api/topology-spread.ts';
export type {
  AWSElasticBlockStore,
  AzureDisk,
  GCEPersistentDisk,
  InTreeVolumeSource,
  ISCSIDisk,
  RBDImage,
  Volume,
  VolumeById,
} from './api/volumes.ts';
export type {
  LabelSelectorOwner,
  Namespace,
  ReplicaSet,
  ReplicaSetStatus,
  ReplicationController,
  SelectorOwner,
} from './api/workloads.ts';
export type { AttachOptions, LoadedKind, LoadResult, ObjectInformer } from './caller/bulk.ts';
export type { ClusterChange } from './caller/changes.ts';
export type { NodeState, PodState, ResourceUsage, Usage } from './caller/cluster-view.ts';
export {
  checkConfiguration,
  encodeProfileArgs,
  type LoadConfigurationOptions,
  loadConfiguration,
} from './caller/load-configuration.ts';
export type { ClientConnection, LeaderElection } from './config/component-config.ts';
export type { ComponentConfiguration, SchedulerConfiguration, SchedulerProfile } from './config/configuration.ts';
export type { ConfigurationError, FieldErrorType } from './config/decode/field-error.ts';
export { encodeConfiguration } from './config/encode-configuration.ts';
export type { ExtenderConfiguration, ManagedResource } from './config/extenders.ts';
export { EXTENSION_POINTS, type ExtensionPoint } from './config/extension-points.ts';
export type { FeatureGate, FeatureGates } from './config/feature-gates.ts';
export type { LoadedConfiguration } from './config/read-configuration.ts';
export { BatchResult } from './core/batch-result.ts';
export type {
  Explanation,
  ExtenderScore,
  NodeExplanation,
  PluginScore,
  PreemptionExplanation,
  ScheduleResult,
  SearchExplanation,
} from './core/decision/result.ts';
export type { AbortSignalLike, AsyncOptions } from './core/extender-attempts.ts';
export type { ExtenderBinding } from './core/extenders/bind.ts';
export { Scheduler } from './core/scheduler.ts';
export type { SchedulerOptions } from './core/scheduler-options.ts';
export type { EngineLimits } from './engine/columns/column-engine-options.ts';
export type { EngineName } from './engine/cycle/engine.ts';
export type { ClusterObjects } from './framework/cluster-objects.ts';
export { CycleState, type SkippedPlugins, type StateKey, stateKey } from './framework/cycle-state.ts';
export type {
  ActionTypes,
  ClusterEvent,
  ClusterEventWithHint,
  EventResource,
  HintKeys,
  HintReads,
  QueueingHint,
  QueueingHintFn,
} from './framework/events.ts';
export type { ExtenderRequest, ExtenderResponse, ExtenderRole } from './framework/extender-calls.ts';
export type { Cancellable, ExtenderTransport } from './framework/extender-transport.ts';
export type { Handle, HandleApi, WaitingPod } from './framework/handle.ts';
export type { HostPort, UsedPorts } from './framework/host-ports.ts';
export type { HeldImages, ImageState } from './framework/image-states.ts';
export type { NodeColumnsView } from './framework/node-columns-view.ts';
export type { NodeInfo } from './framework/node-info.ts';
export type { ObjectFeed } from './framework/object-feed.ts';
export type { ObjectLog } from './framework/object-log.ts';
export type { Eventually, Normalization, PodNominator, PreFilterResult, Snapshot } from './framework/plugin.ts';
export type { PluginAnswer, PluginStatus } from './framework/plugin-status.ts';
export type { PodGroupState } from './framework/pod-group-states.ts';
export type { PodInfo, PodRequirements } from './framework/pod-info.ts';
export type { NodeList, NodeToStatus } from './framework/post-filter.ts';
export type { PreemptionCandidate, PreemptionReport } from './framework/preemption-report.ts';
export type { QueuedPod } from './framework/queued-pod.ts';
export { SchedulerError, type SchedulerErrorCode } from './framework/scheduler-error.ts';
export type { Code, Status } from './framework/status.ts';
export type { TieBreak } from './framework/tie-break.ts';
export { type PhaseReport, type PhaseTime, PhaseTimes } from './framework/tracing/phase-times.ts';
export type { RecordedDecision, Span, SpanCost, SpanSink } from './framework/tracing/span.ts';
export { SpanRecorder, type SpanRecorderOptions } from './framework/tracing/span-recorder.ts';
export { TraceEvents, type TraceEventsOptions } from './framework/tracing/trace-events.ts';
export type { Phase, Trace, Tracer } from './framework/tracing/tracer.ts';
export type * from './framework/user-plugin.ts';
export type { KernelModule } from './kernels/given-kernels.ts';
export { ChromeTrace, type TraceEvent, type TraceThread } from './lib/chrome-trace.ts';
export type { Clock } from './lib/clock.ts';
export type { CodedError } from './lib/errors.ts';
export {
  HttpPoster as HttpExtenderTransport,
  type HttpPosterOptions,
  type PostRequest,
  type PostResponse,
  type TlsOptions,
} from './lib/http-poster.ts';
export type { Int64 } from './lib/int64.ts';
export {
  LineLogger,
  type LineLoggerOptions,
  LOG_LEVELS,
  type Logger,
  type LogLevel,
  type LogValue,
  type LogValues,
} from './lib/logger.ts';
export type { MaybePromise } from './lib/maybe-promise.ts';
export type { Timer } from './lib/task-heap.ts';
export type { RunnerCounters } from './pool/task-runner.ts';
