import type { PerfConfig } from './read-perf-config.ts';
import type { TestCase, Workload } from './test-case.ts';

/** A workload, and the test case that it is a size of. */
export interface SelectedWorkload {
  /** The name, such as `SchedulingBasic/5000Nodes`. */
  readonly name: string;
  readonly testCase: TestCase;
  readonly workload: Workload;
}

export interface WorkloadFilter {
  /** A pattern that the name must contain. */
  readonly pattern?: RegExp | undefined;
  /** `performance,-short`: labels that the workload must have, and (with a minus) must not have. */
  readonly labels?: string | undefined;
}

/** The selected workloads in the order of the file. */
export function selectWorkloads(
  { testCases }: PerfConfig,
  { pattern, labels = '' }: WorkloadFilter,
): SelectedWorkload[] {
  const wanted = labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
  return testCases
    .flatMap((testCase) =>
      testCase.workloads.map((workload) => ({ name: `${testCase.name}/${workload.name}`, testCase, workload })),
    )
    .filter(({ name, testCase, workload }) => {
      const own = new Set([...testCase.labels, ...workload.labels]);
      return (pattern?.test(name) ?? true) && wanted.every((label) => isEnabled(label, own));
    });
}

function isEnabled(label: string, own: ReadonlySet<string>): boolean {
  if (label.startsWith('-')) return !own.has(label.slice(1));
  return own.has(label.startsWith('+') ? label.slice(1) : label);
}
