import { counter, gauge, histogram, type MetricFamily } from './family.ts';

const ATTEMPT_BUCKETS = [0.001, 2, 15] as const;
const POINT_BUCKETS = [0.0001, 2, 12] as const;
const PLUGIN_BUCKETS = [0.00001, 1.5, 20] as const;
const LIFE_BUCKETS = [0.01, 2, 20] as const;

/**
 * The metrics of kube-scheduler v1.36: its names, labels and buckets (pkg/scheduler/metrics). Durations are in seconds.
 */
export function newFamilies() {
  const families = { ...cycleFamilies(), ...queueFamilies(), ...otherFamilies() };
  return families satisfies Readonly<Record<string, MetricFamily>>;
}

export type Families = ReturnType<typeof newFamilies>;

/** The metrics of the cycles. */
function cycleFamilies() {
  return {
    scheduleAttempts: counter(
      'scheduler_schedule_attempts_total',
      'Attempts to schedule a pod, by how they ended: scheduled, unschedulable (rejected by plugins), error (failed).',
      ...['result', 'profile'],
    ),
    attemptDuration: histogram(
      'scheduler_scheduling_attempt_duration_seconds',
      'How long an attempt took: the decision and the binding.',
      ...[ATTEMPT_BUCKETS, 'result', 'profile'],
    ),
    algorithmDuration: histogram(
      'scheduler_scheduling_algorithm_duration_seconds',
      'How long the decision took.',
      ATTEMPT_BUCKETS,
    ),
    extensionPointDuration: histogram(
      'scheduler_framework_extension_point_duration_seconds',
      'How long all plugins of an extension point took together.',
      ...[POINT_BUCKETS, 'extension_point', 'status', 'profile'],
    ),
    pluginDuration: histogram(
      'scheduler_plugin_execution_duration_seconds',
      'How long one plugin took at one extension point; of a sample of the attempts.',
      ...[PLUGIN_BUCKETS, 'plugin', 'extension_point', 'status'],
    ),
    permitWaitDuration: histogram(
      'scheduler_permit_wait_duration_seconds',
      'How long pods waited for Permit plugins.',
      ...[ATTEMPT_BUCKETS, 'result'],
    ),
    podSchedulingSliDuration: histogram(
      'scheduler_pod_scheduling_sli_duration_seconds',
      'From the first time that a pod could be tried to its binding, by the number of attempts.',
      ...[LIFE_BUCKETS, 'attempts'],
    ),
    podSchedulingAttempts: histogram(
      'scheduler_pod_scheduling_attempts',
      'How many attempts it took to schedule a pod.',
      [1, 2, 5],
    ),
  };
}

/** The metrics of the queue, and of what brings pods to it. */
function queueFamilies() {
  return {
    eventHandlingDuration: histogram(
      'scheduler_event_handling_duration_seconds',
      'How long it took to take notice of a change in the cluster, by event.',
      ...[POINT_BUCKETS, 'event'],
    ),
    hintDuration: histogram(
      'scheduler_queueing_hint_execution_duration_seconds',
      'How long a plugin took to say whether an event may help a pod.',
      ...[PLUGIN_BUCKETS, 'plugin', 'event', 'hint'],
    ),
    pendingPods: gauge(
      'scheduler_pending_pods',
      'Pods that wait: active (to be tried next), backoff, unschedulable (for an event), gated (before PreEnqueue).',
      'queue',
    ),
    inFlightEvents: gauge(
      'scheduler_inflight_events',
      'Events kept for pods that are being scheduled, by event.',
      'event',
    ),
    queueIncomingPods: counter(
      'scheduler_queue_incoming_pods_total',
      'Pods that came to a queue, by queue and by what brought them there.',
      ...['queue', 'event'],
    ),
    unschedulablePods: gauge(
      'scheduler_unschedulable_pods',
      'Unschedulable pods by each of the plugins that rejected them; a pod counts for every one.',
      ...['plugin', 'profile'],
    ),
  };
}

/** The metrics of preemption, and of what the scheduler keeps. */
function otherFamilies() {
  return {
    preemptionVictims: histogram('scheduler_preemption_victims', 'How many pods a preemption evicts.', [1, 2, 7]),
    preemptionAttempts: counter('scheduler_preemption_attempts_total', 'How often victims were looked for.'),
    preemptionGoroutinesDuration: histogram(
      'scheduler_preemption_goroutines_duration_seconds',
      'How long the evictions of a preemption took.',
      ...[LIFE_BUCKETS, 'result'],
    ),
    preemptionGoroutines: counter(
      'scheduler_preemption_goroutines_execution_total',
      'Evictions of preemptions that are over.',
      'result',
    ),
    goroutines: gauge('scheduler_goroutines', 'Pieces of work under way beside the scheduling, by kind.', 'operation'),
    cacheSize: gauge(
      'scheduler_cache_size',
      'Nodes, pods and assumed pods (bound, and not yet seen so) that the scheduler knows.',
      'type',
    ),
  };
}
