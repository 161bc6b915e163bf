import type { Job } from '../../api/job.ts';
import { type CsvFile, type CsvRow, readPlainRows } from '../input/csv-table.ts';
import type { Arrival, ArrivalSource } from './arrival.ts';
import { listedSource } from './openb-workload.ts';
import { RUN_DURATION } from './templated-source.ts';

/** The columns of `batch_task.csv`, which has no header. */
const COLUMNS = [
  ...(['task_name', 'instance_num', 'job_name', 'task_type', 'status', 'start_time', 'end_time'] as const),
  ...(['plan_cpu', 'plan_mem'] as const),
];

/** `plan_cpu` counts hundredths of a core. */
const MILLI_PER_PLAN_CPU = 10;
const TASK_LABEL = 'alibaba.com/task-type';
const NAME_MAX = 52;

/** A row with its times, in seconds of the trace. */
interface Task {
  readonly row: CsvRow;
  readonly startSeconds: number;
  /** The end of the task; undefined if it still ran when the trace ended. */
  readonly endSeconds: number | undefined;
}

/**
 * The batch tasks of the Alibaba cluster trace of 2018 (`batch_task.csv`): each becomes a Job of its own, submitted
 * when it started, with a pod for each instance, which runs as long as the task ran. The clock begins with the first
 * task.
 *
 * | column | becomes |
 * |---|---|
 * | job_name, task_name | the name of the Job, in the form that the API wants |
 * | instance_num | completions and parallelism |
 * | status | `Failed`: every pod fails and is not tried again; others succeed |
 * | start_time, end_time | seconds; an end before the start (0) is beyond the trace: pods run until its last moment |
 * | plan_cpu | cpu request of a pod, 100 is a core; empty: none |
 * | plan_mem | memory request, in percent of the largest machine: of `machineMemoryBytes`; empty: none |
 *
 * A task starts when those that it depends on (`M3_1_2`) have ended; the trace's own start times say when that was.
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function alibabaBatchWorkload(file: CsvFile, machineMemoryBytes: number): ArrivalSource {
  const tasks = readPlainRows(file, COLUMNS).map(taskOf);
  // The sort is stable: equal times keep their order.
  tasks.sort((a, b) => a.startSeconds - b.startSeconds);
  const firstSeconds = tasks[0]?.startSeconds ?? 0;
  const lastSeconds = tasks.reduce((last, { startSeconds, endSeconds }) => {
    return Math.max(last, endSeconds ?? startSeconds);
  }, 0);
  const names = new JobNames();
  const arrivals = tasks.map(({ row, startSeconds, endSeconds = lastSeconds }): Arrival => {
    const name = names.of(row.text('job_name'), row.text('task_name'));
    return {
      resource: 'jobs',
      object: jobOf(row, name, endSeconds - startSeconds, machineMemoryBytes),
      atMillis: Math.round((startSeconds - firstSeconds) * 1000),
      deletionMillis: Number.POSITIVE_INFINITY,
    };
  });
  return listedSource(file.name, arrivals);
}

function taskOf(row: CsvRow): Task {
  const startSeconds = row.seconds('start_time');
  const endSeconds = row.seconds('end_time');
  return { row, startSeconds, endSeconds: endSeconds < startSeconds ? undefined : endSeconds };
}

function jobOf(row: CsvRow, name: string, runSeconds: number, machineMemoryBytes: number): Job {
  const instances = row.integer('instance_num');
  if (instances === 0) throw row.error('instance_num', 'a task has at least one instance');
  const milliCpu = Math.round(row.amount('plan_cpu') * MILLI_PER_PLAN_CPU);
  const memoryBytes = Math.round((row.amount('plan_mem') / 100) * machineMemoryBytes);
  const requests = {
    ...(milliCpu > 0 && { cpu: `${milliCpu}m` }),
    ...(memoryBytes > 0 && { memory: String(memoryBytes) }),
  };
  const isFailed = row.text('status') === 'Failed';
  const annotations = {
    [RUN_DURATION]: `${Math.max(runSeconds, 0)}s`,
    ...(isFailed && { 'berth.dev/exit-codes': '1' }),
  };
  const type = row.text('task_type').replace(/[^A-Za-z0-9._-]/g, '');
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'default', ...(type !== '' && { labels: { [TASK_LABEL]: type } }) },
    spec: {
      completions: instances,
      parallelism: instances,
      ...(isFailed && { backoffLimit: 0 }),
      template: {
        metadata: { annotations },
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'alibaba/task', resources: { requests } }],
        },
      },
    },
  };
}

/** Makes valid and unique object names. */
class JobNames {
  readonly #uses = new Map<string, number>();

  of(jobName: string, taskName: string): string {
    const plain = `${jobName}-${taskName}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, NAME_MAX)
      .replace(/^-+|-+$/g, '');
    const name = plain === '' ? 'task' : plain;
    const uses = this.#uses.get(name) ?? 0;
    this.#uses.set(name, uses + 1);
    return uses === 0 ? name : `${name}-x${uses}`;
  }
}
