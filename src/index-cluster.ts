/**
 * `kube-berth/cluster`: an in-process control plane on one clock and one seed, and the parts that it is made of.
 * The decision core alone is `kube-berth`.
 *
 * @module
 */
export type { Job, JobSpec, JobStatus } from './api/job.ts';
export type { EventRecorder, EventType } from './client/events/event-recorder.ts';
export { StoreEventRecorder } from './client/events/store-event-recorder.ts';
export { Expectations, UidExpectations } from './client/expectations.ts';
export { Informers } from './client/informer/informers.ts';
export type { Lister, NamespaceLister } from './client/informer/lister.ts';
export { SharedInformer } from './client/informer/shared-informer.ts';
export {
  BucketRateLimiter,
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
} from './client/queue/rate-limiter.ts';
export type { DelayingQueue, RateLimitingQueue, WorkQueue } from './client/queue/work-queues.ts';
export { DelayedWorkQueue, FifoWorkQueue, RateLimitedWorkQueue } from './client/queue/work-queues.ts';
export { WorkerPool } from './client/worker-pool.ts';
export { Cluster, ClusterError, type ClusterOptions } from './cluster/cluster.ts';
export { EventLog } from './cluster/event-log.ts';
export { MetricsServer, type MetricsSource } from './cluster/metrics-server.ts';
export { GarbageCollector } from './controllers/garbage-collector/garbage-collector.ts';
export type { JobController } from './controllers/job/job-controller.ts';
export { newJobController } from './controllers/job/job-controller.ts';
export { NodeLifecycleController } from './controllers/node-lifecycle/node-lifecycle-controller.ts';
export type { PodGcController } from './controllers/podgc/pod-gc-controller.ts';
export { newPodGcController } from './controllers/podgc/pod-gc-controller.ts';
export { TaintEvictionController } from './controllers/taint-eviction/taint-eviction-controller.ts';
export { TtlAfterFinishedController } from './controllers/ttl-after-finished/ttl-controller.ts';
export type { WaitingPod } from './framework/handle.ts';
export { NodeAgentError, NodeAgents, type NodeAgentsOptions } from './kubelet/agents/node-agents.ts';
export { GridRelists } from './kubelet/grid-relists.ts';
export { EventChannel } from './kubelet/pleg/event-channel.ts';
export { GenericPleg } from './kubelet/pleg/generic-pleg.ts';
export { PodCache } from './kubelet/pleg/pod-cache.ts';
export type { Runtime } from './kubelet/pleg/runtime.ts';
export type { BehaviourSettings } from './kubelet/simulated-runtime/behaviour.ts';
export type { RuntimeFaults } from './kubelet/simulated-runtime/simulated-runtime.ts';
export { PodWorkQueue } from './kubelet/sync-ticker.ts';
export { TickWheel } from './kubelet/tick-wheel.ts';
export { type EventLoop, RealEventLoop, type Timer, VirtualEventLoop } from './lib/event-loop.ts';
export { type QueueState, SchedulerMetrics } from './scheduler/metrics/scheduler-metrics.ts';
export type { SchedulerObserver } from './scheduler/observer.ts';
export type { SchedulerApi, SchedulingEventRecorder } from './scheduler/scheduler-api.ts';
export { coreEvents, storeApi } from './scheduler/store-api.ts';
export {
  StoreScheduler,
  type StoreSchedulerModules,
  type StoreSchedulerOptions,
} from './scheduler/store-scheduler.ts';
export { loadSimulation, type SimulationRequest } from './simulation/load-simulation.ts';
export type { FateOf, PodFate } from './simulation/pod-runner/pod-fate.ts';
export { PodRunner, type PodRunnerOptions } from './simulation/pod-runner/pod-runner.ts';
export { Simulation, type SimulationInput } from './simulation/simulation.ts';
export type { SimulationSummary } from './simulation/summary.ts';
export type { Arrival, ArrivalSource } from './simulation/workload/arrival.ts';
export type { SubmittedObject } from './simulation/workload/submitted-object.ts';
export { ApiError, type ApiReason, isApiError } from './store/objects/api-error.ts';
export { type NameSource, RandomNames } from './store/objects/names.ts';
export type { Resource, Resources } from './store/objects/resources.ts';
export type { StoreClient, Watch, WatchEvent } from './store/objects/store-client.ts';
export { Store } from './store/store.ts';
