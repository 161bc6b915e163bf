import type { SchedulerConfiguration } from '../config/configuration.ts';
import type { Clock } from '../lib/clock.ts';
import type { FileSource } from '../manifests/file-source.ts';
import { PerfError } from './config/perf-error.ts';
import type { PerfConfig } from './config/read-perf-config.ts';
import { selectWorkloads, type WorkloadFilter } from './config/workload-selection.ts';
import type { PerfReport, WorkloadResult } from './perf-report.ts';
import { type NotRun, type PreparedWorkload, prepareWorkload } from './prepare/prepare-workload.ts';
import { templateLibrary } from './prepare/template-library.ts';
import { runWorkload, type WorkloadRunOptions } from './run-workload.ts';
import { thresholdRatio, withThreshold } from './threshold.ts';
import { warmUp } from './warm-up.ts';

export interface PerfOptions extends Omit<WorkloadRunOptions, 'onStep'> {
  readonly filter: WorkloadFilter;
  /** The configuration of test cases that have none. */
  readonly configuration?: SchedulerConfiguration | undefined;
  /** By this clock of the process's work each workload is first run with few objects, until its code is compiled. */
  readonly warmsUpBy?: Clock | undefined;
  /** Called once in each of these warm-ups, so that measurements do not pay for them. */
  readonly collectGarbage?: (() => void) | undefined;
  /** Receives the number of finished operations, and of all operations of all workloads. */
  readonly onProgress?: ((done: number, total: number, what: string) => void) | undefined;
}

/**
 * Runs the selected workloads of a file, one after the other, each on a stack of its own. All of them are read before
 * the first is run. When `pause` asks for the end, those that have not ended count as not run.
 *
 * @throws PerfError `InvalidPerfConfig` and what the source throws, when a file cannot be used
 */
export async function runPerf(
  config: PerfConfig,
  source: FileSource,
  options: PerfOptions,
): Promise<Pick<PerfReport, 'results' | 'notRun' | 'failed'>> {
  const library = templateLibrary(config.folder, source);
  const preparation = { file: config.file, library, configuration: options.configuration };
  const selected = selectWorkloads(config, options.filter);
  if (selected.length === 0) throw new PerfError('InvalidPerfConfig', `${config.file}: no workload is selected`);
  const prepared: PreparedWorkload[] = [];
  const notRun: NotRun[] = [];
  for (const workload of selected) {
    const result = await prepareWorkload(workload, preparation);
    if ('reason' in result) notRun.push(result);
    else prepared.push(result);
  }
  const total = prepared.reduce((sum, { steps }) => sum + steps.length, 0);
  const results: WorkloadResult[] = [];
  const failed: NotRun[] = [];
  let doneBefore = 0;
  for (const workload of prepared) {
    const { name, steps } = workload;
    const onStep = (done: number): void => options.onProgress?.(doneBefore + done, total, name);
    try {
      if (await options.pause?.()) throw new PerfError('Interrupted', 'interrupted');
      if (options.warmsUpBy !== undefined) await warmUp(workload, { ...options, processor: options.warmsUpBy });
      results.push(resultOf(workload, config.topic, await runWorkload(workload, { ...options, onStep })));
    } catch (error) {
      if (!(error instanceof PerfError)) throw error;
      if (error.code === 'Interrupted') {
        const rest = prepared.slice(prepared.indexOf(workload));
        return {
          results,
          notRun: [...notRun, ...rest.map((each) => ({ name: each.name, reason: 'interrupted' }))],
          failed,
        };
      }
      failed.push({ name, reason: error.message });
    }
    doneBefore += steps.length;
  }
  return { results, notRun, failed };
}

function resultOf(
  { name, testCase, workload }: PreparedWorkload,
  topic: string,
  { items, seconds, workSeconds }: Awaited<ReturnType<typeof runWorkload>>,
): WorkloadResult {
  const threshold = thresholdRatio(workload, topic, items);
  return {
    name,
    labels: [...testCase.labels, ...workload.labels],
    seconds,
    workSeconds,
    items: threshold === undefined ? items : withThreshold(items, workload.thresholdMetric, threshold.threshold),
    ...(threshold && { threshold }),
  };
}
