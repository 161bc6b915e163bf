import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { KernelKind } from '../../src/kernels/load.ts';
import { Program } from '../../src/kernels/program.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import type { PooledRunner } from '../../src/pool/pooled-runner.ts';
import { type SharingRunner, sharingRunner, waitUntil } from './always-share.ts';
import { arbitraryInstructions, type InstructionCase, ProgramWorld } from './program-cases.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
const SLOTS = 2500;

const open: PooledRunner[] = [];
afterAll(() => {
  for (const runner of open) runner.close();
});

function start(world: ProgramWorld, kind: KernelKind, workers: number): SharingRunner {
  const { memory, kernels, table } = world;
  const sharing = sharingRunner({ memory, kernels, kind, table }, { workers });
  open.push(sharing.runner);
  wake(sharing, world);
  return sharing;
}

/** Runs an empty program until a thread takes part, which then waits for the next step for a while. */
function wake({ runner, policy }: SharingRunner, { memory }: ProgramWorld): void {
  const nothing = new Program(memory);
  const before = policy.helpedSteps;
  waitUntil(() => {
    for (let step = 0; step < 20 && policy.helpedSteps === before; step++) runner.run(nothing, SLOTS);
    return policy.helpedSteps > before;
  }, 'somebody helps');
}

/** Writes the instructions into the world's program; how to read their answers. */
function write(world: ProgramWorld, instructions: readonly InstructionCase[]): () => unknown[] {
  world.program.clear();
  const answers = instructions.map((instruction) => instruction.write(world));
  return () => answers.map((answer) => answer());
}

describe.each(kinds)('a pooled runner, %s', (kind) => {
  it.each([2, 3])('%i threads come to what one comes to', (workers) => {
    const shared = new ProgramWorld(kind, SLOTS, 1);
    const alone = new ProgramWorld(kind, SLOTS, 1);
    const sharing = start(shared, kind, workers);
    const { runner, policy } = sharing;
    let helpedSteps = 0;
    const inline = new InlineRunner(alone);
    fc.assert(
      fc.property(fc.nat(SLOTS), arbitraryInstructions, (slotCount, instructions) => {
        const [got, expected] = [write(shared, instructions), write(alone, instructions)];
        wake(sharing, shared);
        helpedSteps -= policy.helpedSteps;
        runner.run(shared.program, slotCount);
        helpedSteps += policy.helpedSteps;
        inline.run(alone.program, slotCount);
        expect(got()).toEqual(expected());
        expect(shared.columns(SLOTS)).toEqual(alone.columns(SLOTS));
      }),
      { numRuns: 100 },
    );
    expect(helpedSteps).toBeGreaterThan(0);
    expect(runner.counters).toMatchObject({ retriedSteps: 0, restartedWorkers: 0 });
  });
});

describe('a pooled runner', () => {
  it('works on columns that came, and in bytes that grew, after its threads had parked', () => {
    const world = new ProgramWorld('simd', SLOTS, 2);
    const { runner, policy } = start(world, 'simd', 2);
    const { table, memory, program } = world;
    const before = memory.usedBytes;
    const slotCount = 3_000_000;
    table.reserve(slotCount);
    const [source, copy] = [table.add('i32', 'source', 5), table.add('i32')];
    expect(memory.usedBytes).toBeGreaterThan(before + 2 ** 24);
    const helped = policy.helpedSteps;
    waitUntil(() => {
      program.clear();
      // A maximum of 0 makes this a copy of memory, which checks the bounds that the thread knows.
      program.normalize(source, 0, 0, copy);
      program.addWeighted(source, 2, copy);
      runner.run(program, slotCount);
      return policy.helpedSteps > helped;
    }, 'somebody helps');
    expect(copy.values.subarray(0, slotCount).every((value) => value === 15)).toBe(true);
    expect(runner.counters.restartedWorkers).toBe(0);
  });

  it('goes on alone when it is closed, and its threads serve the next one', () => {
    const world = new ProgramWorld('simd', SLOTS, 3);
    const first = start(world, 'simd', 2);
    first.runner.close();
    const { sharedSteps } = first.runner.counters;
    const register = world.countSlots();
    first.runner.run(world.program, SLOTS);
    expect(world.program.number(register)).toBe(SLOTS);
    expect(first.runner.counters.sharedSteps).toBe(sharedSteps);
    first.runner.close();
    const second = start(new ProgramWorld('simd', SLOTS, 3), 'simd', 2);
    expect(second.policy.helpedSteps).toBe(1);
  });

  it('goes on after it ends a worker', () => {
    const world = new ProgramWorld('simd', SLOTS, 5);
    const { runner } = start(world, 'simd', 2);
    const register = world.countSlots();
    expect(runner.endWorker()).toBe(true);
    for (let i = 0; i < 3; i++) {
      runner.run(world.program, SLOTS);
      expect(world.program.number(register)).toBe(SLOTS);
    }
    runner.close();
    expect(runner.endWorker()).toBe(false);
  });

  it('shares nothing that is too small, and starts nobody for it', () => {
    const world = new ProgramWorld('simd', SLOTS, 4);
    const { memory, kernels, table, program } = world;
    let started = 0;
    const startThread = () => {
      started++;
      throw new Error('nobody is needed');
    };
    const { runner } = sharingRunner(
      { memory, kernels, table, kind: 'simd', startThread },
      { slotsMin: SLOTS, buildSlotsMin: 2 * SLOTS },
    );
    const register = world.countSlots();
    runner.prepare(SLOTS - 1, false);
    runner.run(program, SLOTS - 1);
    expect(program.number(register)).toBe(SLOTS - 1);
    const build = new Program(memory, true);
    runner.prepare(2 * SLOTS - 1, true);
    runner.run(build, 2 * SLOTS - 1);
    expect(started).toBe(0);
    expect(() => runner.prepare(SLOTS, false)).toThrow('nobody is needed');
    expect(() => runner.run(build, 2 * SLOTS)).toThrow('nobody is needed');
  });
});
