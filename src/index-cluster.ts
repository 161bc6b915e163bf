/**
 * `kube-berth/cluster`: an in-process control plane on one clock and one seed, and the parts that it is made of.
 * The decision core alone is `kube-berth`.
 *
 * @module kube-berth/cluster
 */

export type { ControllerRevision } from './api/controller-revision.ts';
export type { CronJob, CronJobSpec, CronJobStatus } from './api/cron-job.ts';
export type { DaemonSet, DaemonSetSpec, DaemonSetStatus } from './api/daemon-set.ts';
export type {
  Deployment,
  DeploymentCondition,
  DeploymentSpec,
  DeploymentStatus,
  RollingUpdateLimits,
} from './api/deployment.ts';
export type { Event } from './api/event.ts';
export type {
  Job,
  JobCondition,
  JobSpec,
  JobStatus,
  PodFailurePolicy,
  PodFailurePolicyOnExitCodes,
  PodFailurePolicyOnPodCondition,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
  UncountedTerminatedPods,
} from './api/job.ts';
export type { RequiredLabel, Selector } from './api/label-selector.ts';
export type { Lease } from './api/lease.ts';
export type { Resources as ResourceAmounts } from './api/resources.ts';
export type { Usage as NodeUsage } from './caller/cluster-view.ts';
export type { EventRecorder, EventType } from './client/events/event-recorder.ts';
export { type EventRecorderModules, StoreEventRecorder } from './client/events/store-event-recorder.ts';
export { Expectations, type OpenExpectations, UidExpectations } from './client/expectations.ts';
export type { EventHandler } from './client/informer/event-handler.ts';
export type { IndexFunction } from './client/informer/index-buckets.ts';
export { type InformerClient, Informers } from './client/informer/informers.ts';
export type { Lister, NamespaceLister } from './client/informer/lister.ts';
export type { ListerWatcher, ReflectorModules, UnreadWatches } from './client/informer/reflector.ts';
export { type HandlerOptions, type HandlerRegistration, SharedInformer } from './client/informer/shared-informer.ts';
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
} from './client/queue/rate-limiter.ts';
export {
  DelayedWorkQueue,
  type DelayingQueue,
  FifoWorkQueue,
  RateLimitedWorkQueue,
  type RateLimitingQueue,
  type WorkQueue,
} from './client/queue/work-queues.ts';
export type { ReportError } from './client/report-error.ts';
export { WorkerPool, type WorkerPoolModules, type WorkerPoolOptions } from './client/worker-pool.ts';
export { Cluster, ClusterError, type ClusterOptions } from './cluster/cluster.ts';
export type { ControllerManagerOptions } from './cluster/controller-manager.ts';
export { EventLog, type EventLogModules } from './cluster/event-log.ts';
export { MetricsServer, type MetricsSource } from './cluster/metrics-server.ts';
export { GarbageCollector, type GarbageCollectorOptions } from './controllers/garbage-collector/garbage-collector.ts';
export {
  type JobController,
  type JobControllerModules,
  type JobControllerOptions,
  newJobController,
} from './controllers/job/job-controller.ts';
export type { JobApi, PodMetadataPatch } from './controllers/job/job-writes.ts';
export type { JobMetrics, LabelledCounter } from './controllers/job/metrics.ts';
export type { OrphanKey } from './controllers/job/orphan-pods.ts';
export type { CacheVersions } from './controllers/job/written-versions.ts';
export type { GracePeriods } from './controllers/node-lifecycle/node-health.ts';
export {
  NodeLifecycleController,
  type NodeLifecycleOptions,
} from './controllers/node-lifecycle/node-lifecycle-controller.ts';
export type { PodGcApi } from './controllers/podgc/pod-gc-api.ts';
export {
  newPodGcController,
  type PodGcController,
  type PodGcControllerModules,
  type PodGcControllerOptions,
  type PodGcCount,
  type PodGcMetrics,
  type PodGcReason,
} from './controllers/podgc/pod-gc-controller.ts';
export type {
  BasicModules,
  ControllerModules,
  QueuedController,
  RecordingModules,
  Synced,
} from './controllers/queued-controller.ts';
export { TaintEvictionController } from './controllers/taint-eviction/taint-eviction-controller.ts';
export { TtlAfterFinishedController } from './controllers/ttl-after-finished/ttl-controller.ts';
export type { FilterRecord } from './core/decision/decision-record.ts';
export type { Decision } from './core/decision/schedule-pod.ts';
export type { Cycle, PluginScores, Selection } from './engine/cycle/engine.ts';
export type {
  AffinityForm,
  AffinityViolation,
  AllocationForm,
  BalanceForm,
  ColumnForms,
  CountedResources,
  ResourceFilterForm,
  ResourceScoreForm,
  ResourceShortage,
  ResourceSpec,
  SpreadConstraint,
  SpreadForm,
  SpreadViolation,
  TopologyForm,
} from './framework/column-forms.ts';
export type { Diagnosis } from './framework/diagnosis.ts';
export type { WaitingPod } from './framework/handle.ts';
export type { SearchWindow } from './framework/node-search.ts';
export type { NodeTally } from './framework/node-tally.ts';
export type {
  FilterPlugin as FrameworkFilterPlugin,
  NodeFeed,
  NodeParts,
  NodeSight,
  Plugin as FrameworkPlugin,
  Reads,
} from './framework/plugin.ts';
export type {
  PostFilterOutcome,
  Standing,
  TallyContext,
  TopologyTallies,
  TopologyTally,
} from './framework/post-filter.ts';
export type { RejectedSlots } from './framework/rejected-slots.ts';
export type { SlotAnswers } from './framework/slot-answers.ts';
export type { DrawTie } from './framework/tie-break.ts';
export type * from './index.ts';
export {
  NodeAgentError,
  NodeAgents,
  type NodeAgentsModules,
  type NodeAgentsOptions,
} from './kubelet/agents/node-agents.ts';
export type { DriverFaults, NodeClaim } from './kubelet/dynamic-resources/claim-manager.ts';
export { GridRelists, type GridRelistsModules, type GridRelistsOptions } from './kubelet/grid-relists.ts';
export type { OnPleg } from './kubelet/kubelet-options.ts';
export type { PodLifecycleEvent, PodLifecycleEventType } from './kubelet/pleg/compute-events.ts';
export { EventChannel } from './kubelet/pleg/event-channel.ts';
export { GenericPleg, type GenericPlegOptions, type PlegHealth } from './kubelet/pleg/generic-pleg.ts';
export { type OnPodCacheAnswer, PodCache, type PodCacheAnswer, type PodCacheEntry } from './kubelet/pleg/pod-cache.ts';
export type { KnownPods, PodRecord } from './kubelet/pleg/pod-records.ts';
export type {
  Runtime,
  RuntimeContainer,
  RuntimeContainerState,
  RuntimeContainerStatus,
  RuntimeError,
  RuntimePod,
  RuntimePodStatus,
} from './kubelet/pleg/runtime.ts';
export type { BehaviourSettings } from './kubelet/simulated-runtime/behaviour.ts';
export type { RuntimeFaults } from './kubelet/simulated-runtime/simulated-runtime.ts';
export { PodWorkQueue } from './kubelet/sync-ticker.ts';
export { type Grid, TickWheel } from './kubelet/tick-wheel.ts';
export type { Distribution } from './lib/distribution.ts';
export { type ErrorHandler, type EventLoop, RealEventLoop, type Timer, VirtualEventLoop } from './lib/event-loop.ts';
export type { Percentiles } from './lib/percentile.ts';
export type { Prng } from './lib/prng.ts';
export type { FileSource, OpenFile } from './manifests/file-source.ts';
export type { Failure } from './scheduler/failures.ts';
export type { Amount, Family, MetricFamily, MetricKind } from './scheduler/metrics/family.ts';
export type { Histogram } from './scheduler/metrics/histogram.ts';
export { type QueueState, SchedulerMetrics } from './scheduler/metrics/scheduler-metrics.ts';
export type { AttemptResult, ObservedPoint, SchedulerObserver } from './scheduler/observer.ts';
export type { Nomination } from './scheduler/queue/nominator.ts';
export type { QueueObserver } from './scheduler/queue/queue-modules.ts';
export type { QueuedPodInfo, QueuePlace } from './scheduler/queue/queued-pod-info.ts';
export type { SchedulerApi, SchedulingEventRecorder } from './scheduler/scheduler-api.ts';
export type {
  SchedulerShards,
  SchedulerShardsModules,
  ShardCounts,
  ShardingOptions,
} from './scheduler/shards/scheduler-shards.ts';
export { type Client, coreEvents, storeApi } from './scheduler/store-api.ts';
export { StoreScheduler, type StoreSchedulerModules, type StoreSchedulerOptions } from './scheduler/store-scheduler.ts';
export type { ResourceInformer, SchedulerInformers } from './scheduler/watch-objects.ts';
export type { ErrorGroup, ErrorGroups } from './simulation/error-groups.ts';
export type { FaultTimes, PlannedFault } from './simulation/faults/fault-file.ts';
export type { FaultSettings, OPERATIONS } from './simulation/faults/fault-kinds.ts';
export type { Bounds } from './simulation/input/settings-file.ts';
export {
  type LoadedSimulation,
  loadSimulation,
  type SchedulersRequest,
  type SimulationFiles,
  type SimulationRequest,
} from './simulation/load-simulation.ts';
export type { FateOf, PodFate } from './simulation/pod-runner/pod-fate.ts';
export { PodRunner, type PodRunnerModules, type PodRunnerOptions } from './simulation/pod-runner/pod-runner.ts';
export { Simulation, type SimulationInput } from './simulation/simulation.ts';
export type { ClusterStatistics, SeriesByName, StatisticsModules } from './simulation/statistics/cluster-statistics.ts';
export type { JobCounts, JobTotals, QueueJobs } from './simulation/statistics/job-counts.ts';
export type { OpenPodGroup, OpenPods } from './simulation/statistics/open-pods.ts';
export type { CountedPhase, PodCounts, PodTotals, Stage } from './simulation/statistics/pod-counts.ts';
export type { TimelinePoint } from './simulation/statistics/timeline.ts';
export type { AmountsByName, Capacity, Usage, UsageMeter } from './simulation/statistics/usage-meter.ts';
export type {
  LatencySummary,
  SimulationEnd,
  SimulationSummary,
  SummarySource,
  summaryOf,
} from './simulation/summary.ts';
export type {
  ClusterTrace,
  Moment,
  PodHistory,
  TraceEvent as RecordedEvent,
} from './simulation/trace/cluster-trace.ts';
export type { PlacementDifference, Placements } from './simulation/trace/placements.ts';
export type { PodAttempts } from './simulation/trace/trace-player.ts';
export type { Arrival, ArrivalSource } from './simulation/workload/arrival.ts';
export type { ChangeVerb, PlannedChange } from './simulation/workload/planned-change.ts';
export type { ReadingOptions } from './simulation/workload/read-objects.ts';
export type { SubmittedObject } from './simulation/workload/submitted-object.ts';
export {
  ApiError,
  type ApiReason,
  isApiError,
  type STATUS_CODES,
  type StatusCause,
} from './store/objects/api-error.ts';
export { type NameSource, RandomNames } from './store/objects/names.ts';
export type { Plural, Resource, Resources, StoredKinds } from './store/objects/resources.ts';
export type {
  Binding,
  DeleteOptions,
  List,
  ListOptions,
  Patch,
  Preconditions,
  PropagationPolicy,
  SelectionOptions,
  StatusOutcome,
  StoreClient,
  Watch,
  WatchEvent,
  WatchOptions,
} from './store/objects/store-client.ts';
export { Store, type StoreModules, type StoreOptions } from './store/store.ts';
