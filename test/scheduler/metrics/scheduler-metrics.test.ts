import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../src/lib/clock.ts';
import { SchedulerMetrics } from '../../../src/scheduler/metrics/scheduler-metrics.ts';
import type { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';

const queued = (attempts: number, initialAttemptTimestampMillis: number) =>
  ({ attempts, initialAttemptTimestampMillis }) as QueuedPodInfo;

/** Samples by `name{labels}`. */
async function samples(metrics: SchedulerMetrics): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.replace(/^.* /, ''))]));
}

describe('SchedulerMetrics', () => {
  it("has kube-scheduler's names, labels and types", () => {
    const { families } = new SchedulerMetrics(new FakeClock());
    const shown = families.map(({ name, kind, labelNames }) => `${name} ${kind} ${labelNames.join()}`);
    expect(shown.sort()).toEqual([
      'scheduler_cache_size gauge type',
      'scheduler_event_handling_duration_seconds histogram event',
      'scheduler_framework_extension_point_duration_seconds histogram extension_point,status,profile',
      'scheduler_goroutines gauge operation',
      'scheduler_inflight_events gauge event',
      'scheduler_pending_pods gauge queue',
      'scheduler_permit_wait_duration_seconds histogram result',
      'scheduler_plugin_execution_duration_seconds histogram plugin,extension_point,status',
      'scheduler_pod_scheduling_attempts histogram ',
      'scheduler_pod_scheduling_sli_duration_seconds histogram attempts',
      'scheduler_preemption_attempts_total counter ',
      'scheduler_preemption_goroutines_duration_seconds histogram result',
      'scheduler_preemption_goroutines_execution_total counter result',
      'scheduler_preemption_victims histogram ',
      'scheduler_queue_incoming_pods_total counter queue,event',
      'scheduler_queueing_hint_execution_duration_seconds histogram plugin,event,hint',
      'scheduler_schedule_attempts_total counter result,profile',
      'scheduler_scheduling_algorithm_duration_seconds histogram ',
      'scheduler_scheduling_attempt_duration_seconds histogram result,profile',
      'scheduler_unschedulable_pods gauge plugin,profile',
    ]);
  });

  it('reports attempts, with the buckets of upstream', async () => {
    const metrics = new SchedulerMetrics(new FakeClock());
    metrics.attemptFinished('scheduled', 'default-scheduler', 1.5);
    metrics.attemptFinished('scheduled', 'default-scheduler', 0.5);
    metrics.attemptFinished('unschedulable', 'other', 20_000);
    const seen = await samples(metrics);
    const name = 'scheduler_scheduling_attempt_duration_seconds';
    const scheduled = 'result="scheduled",profile="default-scheduler"';
    expect(seen[`scheduler_schedule_attempts_total{${scheduled}}`]).toBe(2);
    expect(seen[`${name}_bucket{${scheduled.replace('}', '')},le="0.001"}`]).toBe(1);
    expect(seen[`${name}_bucket{${scheduled},le="0.002"}`]).toBe(2);
    expect(seen[`${name}_sum{${scheduled}}`]).toBeCloseTo(0.002);
    expect(seen[`${name}_bucket{result="unschedulable",profile="other",le="16.384"}`]).toBe(0);
    expect(seen[`${name}_bucket{result="unschedulable",profile="other",le="+Inf"}`]).toBe(1);
  });

  it('reports how long pods took, by the number of attempts up to 15', async () => {
    const clock = new FakeClock(10_000);
    const metrics = new SchedulerMetrics(clock);
    metrics.podScheduled(queued(1, 9000));
    metrics.podScheduled(queued(40, 0));
    metrics.podScheduled(queued(1, Number.NaN));
    const seen = await samples(metrics);
    expect(seen['scheduler_pod_scheduling_sli_duration_seconds_sum{attempts="1"}']).toBe(1);
    expect(seen['scheduler_pod_scheduling_sli_duration_seconds_count{attempts="1"}']).toBe(1);
    expect(seen['scheduler_pod_scheduling_sli_duration_seconds_sum{attempts="15+"}']).toBe(10);
    expect(seen['scheduler_pod_scheduling_attempts_bucket{le="1"}']).toBe(2);
    expect(seen['scheduler_pod_scheduling_attempts_count']).toBe(3);
  });

  it('counts what comes to the queues, and reads what is in them when it is asked', async () => {
    const metrics = new SchedulerMetrics(new FakeClock());
    metrics.podIncoming('active', false, 'UnschedulablePodAdd');
    metrics.podIncoming('active', false, 'UnschedulablePodAdd');
    metrics.podIncoming('unschedulable', true, 'UnschedulablePodAdd');
    metrics.podIncoming('errorBackoff', false, 'ScheduleAttemptFailure');
    let active = 3;
    let rejected: [string, string, number][] = [['NodeName', 'default-scheduler', 2]];
    const inFlightEvents = [['NodeAdd', 5]] as const;
    metrics.watchQueue(() => ({ active, backoff: 1, unschedulable: 2, gated: 4, rejected, inFlightEvents }));
    const before = await samples(metrics);
    expect(before['scheduler_queue_incoming_pods_total{queue="active",event="UnschedulablePodAdd"}']).toBe(2);
    expect(before['scheduler_queue_incoming_pods_total{queue="gated",event="UnschedulablePodAdd"}']).toBe(1);
    expect(before['scheduler_queue_incoming_pods_total{queue="backoff",event="ScheduleAttemptFailure"}']).toBe(1);
    expect(before['scheduler_pending_pods{queue="active"}']).toBe(3);
    expect(before['scheduler_pending_pods{queue="gated"}']).toBe(4);
    expect(before['scheduler_unschedulable_pods{plugin="NodeName",profile="default-scheduler"}']).toBe(2);
    expect(before['scheduler_inflight_events{event="NodeAdd"}']).toBe(5);
    active = 0;
    rejected = [];
    const after = await samples(metrics);
    expect(after['scheduler_pending_pods{queue="active"}']).toBe(0);
    expect(after['scheduler_unschedulable_pods{plugin="NodeName",profile="default-scheduler"}']).toBe(0);
  });

  it('reports extension points and plugins as upstream spells them', async () => {
    const metrics = new SchedulerMetrics(new FakeClock());
    metrics.extensionPointFinished('preFilter', 'p', 'Success', 0.2);
    metrics.pluginFinished('NodeName', 'filter', 'Unschedulable', 0.02);
    metrics.permitWaitFinished('Success', 4);
    metrics.preemptionAttempted();
    metrics.preemptionStarted({}, 'n', [{}, {}, {}]);
    metrics.preemptionFinished({}, 'success', 5);
    metrics.goroutines('binding', 1);
    metrics.goroutines('binding', 1);
    metrics.goroutines('binding', -1);
    metrics.cacheSize('assumedPods', 7);
    metrics.decisionFinished(3);
    metrics.eventHandled('NodeAdd', 1);
    metrics.hintGiven('NodeName', 'NodeAdd', 'Queue', 1);
    const seen = await samples(metrics);
    const point = 'scheduler_framework_extension_point_duration_seconds_bucket{extension_point="PreFilter"';
    expect(seen[`${point},status="Success",profile="p",le="0.0001"}`]).toBe(0);
    expect(seen[`${point},status="Success",profile="p",le="0.0002"}`]).toBe(1);
    const plugin = 'plugin="NodeName",extension_point="Filter",status="Unschedulable"';
    expect(seen[`scheduler_plugin_execution_duration_seconds_count{${plugin}}`]).toBe(1);
    expect(seen['scheduler_permit_wait_duration_seconds_count{result="Success"}']).toBe(1);
    expect(seen['scheduler_preemption_attempts_total']).toBe(1);
    expect(seen['scheduler_preemption_victims_bucket{le="4"}']).toBe(1);
    expect(seen['scheduler_preemption_goroutines_execution_total{result="success"}']).toBe(1);
    expect(seen['scheduler_goroutines{operation="binding"}']).toBe(1);
    expect(seen['scheduler_cache_size{type="assumed_pods"}']).toBe(7);
    expect(seen['scheduler_scheduling_algorithm_duration_seconds_sum']).toBe(0.003);
    expect(seen['scheduler_event_handling_duration_seconds_count{event="NodeAdd"}']).toBe(1);
    const hint = 'plugin="NodeName",event="NodeAdd",hint="Queue"';
    expect(seen[`scheduler_queueing_hint_execution_duration_seconds_count{${hint}}`]).toBe(1);
  });
});
