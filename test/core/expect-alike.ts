import { expect } from 'vitest';
import type { EngineLimits } from '../../src/engine/columns/column-engine-options.ts';
import type { SchedulerOptions } from '../../src/index.ts';
import { GuardedHosts } from '../guard/guarded-kernels.ts';
import { differences } from '../parity/differences.ts';
import type { ClusterEvent, Script } from './arbitrary-script.ts';
import { type Answer, ClusterLife, probesOf } from './event-script.ts';

/** A limit so small that everything kept is given up every few signatures. */
const LITTLE_ROOM: EngineLimits = { objects: 3, bytes: Number.POSITIVE_INFINITY };

/** Every way to a decision beside the reference; two of them keep next to nothing. */
const OTHER_WAYS = (['scalar', 'simd'] as const).flatMap((engine) =>
  [true, false].map((index) => ({ engine, index, limits: engine === 'scalar' ? LITTLE_ROOM : undefined })),
);

/**
 * Plays the script on all engines, with index and without, and on the reference, where each pod of a batch is scheduled
 * by itself. After every step all must have answered alike, and must explain the probes alike. To be asked brings
 * everything that is kept up to date: `isAsked` false leaves that to the events. Kernels must keep to their memory.
 */
export function expectAlike(script: Script, options: SchedulerOptions, isAsked = true): void {
  const reference = new ClusterLife({ ...options, engine: 'reference' }, script);
  const hosts = new GuardedHosts();
  const others = OTHER_WAYS.map(({ limits, ...way }) => ({
    label: `${way.engine}, index ${way.index}`,
    life: new ClusterLife({ ...options, ...way, ...(limits && { limits }), newKernelHost: hosts.newHost }, script),
  }));
  const probes = probesOf(script);
  const explained = ({ scheduler }: ClusterLife): unknown[] => probes.map((probe) => scheduler.explain(probe));
  script.events.forEach((event, step) => {
    const answers = others.map(({ life }) => life.play(event));
    const expected = answerOf(reference, event, isRefused(answers[0]));
    const isLast = step === script.events.length - 1;
    const expectedProbes = isAsked || isLast ? explained(reference) : [];
    others.forEach(({ label, life }, i) => {
      const got = [answers[i], ...(isAsked || isLast ? explained(life) : [])];
      expectSame(`${label}, step ${step}, ${event.do}`, [expected, ...expectedProbes], got);
    });
  });
  hosts.check();
}

/** A batch that the others refuse must be refused by the reference, too, and for the same reason. */
function answerOf(reference: ClusterLife, event: ClusterEvent, isRefused: boolean): Answer {
  return event.do === 'scheduleBatch' && !isRefused ? reference.playApart(event) : reference.play(event);
}

function isRefused(answer: Answer | undefined): boolean {
  return typeof answer === 'object' && 'error' in answer;
}

/** The whole of two explanations would drown the one field in which they differ. */
export function expectSame(label: string, expected: unknown, got: unknown): void {
  expect(differences('', expected, got).slice(0, 4), label).toEqual([]);
}
