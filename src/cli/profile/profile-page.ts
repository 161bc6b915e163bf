import type { Cell, ReportPage, Section } from '../../report/sections.ts';
import { functionTimes } from './cpu-samples.ts';
import { functionBytes } from './heap-samples.ts';
import type { Recorded } from './recorder.ts';

const FUNCTIONS_MAX = 200;

export interface ProfiledCommand {
  readonly command: string;
  readonly version: string;
  readonly exitCode: number;
  /** The files beside the page, with what they have. */
  readonly files: readonly (readonly [name: string, content: string])[];
}

/** The index page of a profile. */
export function profilePage(about: ProfiledCommand, measured: Recorded<number>): ReportPage {
  const { seconds, cpuSeconds, cpu, heap, heapSpaces, kernelMemory, mostResidentBytes } = measured;
  const kernelBytes = kernelMemory.reduce((sum, { bytes }) => sum + bytes, 0);
  const sections: Section[] = [
    ...timeSections(cpu),
    {
      kind: 'table',
      title: "The kernels' memory",
      note: 'The memory of the largest scheduler, by purpose, at the moment when it was largest.',
      columns: [{ title: 'purpose' }, { title: 'bytes', unit: 'bytes' }, { title: 'blocks', unit: 'count' }],
      rows: kernelMemory.map(({ owner, bytes, blocks }) => [owner, bytes, blocks]),
    },
    {
      kind: 'table',
      title: 'The JavaScript heap at the end',
      columns: [{ title: 'space' }, { title: 'used', unit: 'bytes' }, { title: 'committed', unit: 'bytes' }],
      rows: heapSpaces.map(({ name, usedBytes, committedBytes }) => [name, usedBytes, committedBytes]),
    },
    {
      kind: 'table',
      title: 'What is on the heap, by who allocated it',
      note: 'Sampled, one in 64 KiB, without what was collected.',
      columns: [{ title: 'function' }, { title: 'place' }, { title: 'bytes', unit: 'bytes' }],
      rows: functionBytes(heap)
        .slice(0, FUNCTIONS_MAX)
        .map(({ name, place, bytes }) => [name, place, bytes]),
    },
    {
      kind: 'table',
      title: 'Files beside this page',
      columns: [{ title: 'file' }, { title: 'what it has' }],
      rows: about.files,
    },
  ];
  return {
    title: 'Profile',
    facts: [
      ['command', about.command],
      ['version', about.version],
      ['exit code', String(about.exitCode)],
    ],
    highlights: [
      { name: 'time', value: `${seconds.toFixed(2)} s` },
      { name: 'processor time of all threads', value: `${cpuSeconds.toFixed(2)} s` },
      { name: 'most memory of the process', value: `${Math.round(mostResidentBytes / 2 ** 20)} MiB` },
      { name: "most of the kernels' memory", value: `${(kernelBytes / 2 ** 20).toFixed(1)} MiB` },
    ],
    sections,
  };
}

/** Where the time of the main thread went. */
function timeSections(cpu: Recorded<number>['cpu']): readonly Section[] {
  const functions = functionTimes(cpu);
  const sampled = functions.reduce((sum, { selfMillis }) => sum + selfMillis, 0);
  const share = (millis: number) => (sampled === 0 ? 0 : millis / sampled);
  const own = (select: (name: string) => boolean) =>
    functions.filter(({ name }) => select(name)).reduce((sum, { selfMillis }) => sum + selfMillis, 0);
  const kernels = own((name) => name.startsWith('assembly/'));
  const garbage = own((name) => name === '(garbage collector)');
  const idle = own((name) => name === '(idle)' || name === '(program)');
  return [
    {
      kind: 'bars',
      title: 'Where the time went',
      note: 'Samples of the main thread, one every 200 µs.',
      unit: 'share',
      categories: ['kernels', 'garbage collection', 'idle, and outside of JavaScript', 'everything else'],
      series: [{ name: 'share', values: [kernels, garbage, idle, sampled - kernels - garbage - idle].map(share) }],
    },
    {
      kind: 'table',
      title: 'Functions',
      note: `The ${FUNCTIONS_MAX} with most time of their own. Kernels are named by their source.`,
      columns: [
        { title: 'function' },
        { title: 'place' },
        { title: 'own', unit: 'seconds' },
        { title: 'share', unit: 'share' },
        { title: 'with what it calls', unit: 'seconds' },
      ],
      rows: functions
        .slice(0, FUNCTIONS_MAX)
        .map(({ name, place, selfMillis, totalMillis }): readonly Cell[] => [
          ...[name, place, selfMillis / 1000],
          ...[share(selfMillis), totalMillis / 1000],
        ]),
    },
  ];
}
