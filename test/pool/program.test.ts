import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KernelKind } from '../../src/kernels/load.ts';
import { InlineRunner } from '../../src/pool/inline-runner.ts';
import { PartsRunner } from './parts-runner.ts';
import { arbitraryInstructions, ProgramWorld } from './program-cases.ts';

const kinds: readonly KernelKind[] = ['scalar', 'simd'];
describe.each(kinds)('a program, %s', (kind) => {
  it('does what its kernels do one after the other', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(1000), arbitraryInstructions, (slotCount, seed, instructions) => {
        const direct = new ProgramWorld(kind, slotCount, seed);
        const expected = instructions.map((instruction) => instruction.call(direct, 0, slotCount));
        const world = new ProgramWorld(kind, slotCount, seed);
        const answers = instructions.map((instruction) => instruction.write(world));
        new InlineRunner(world).run(world.program, slotCount);
        expect(answers.map((answer) => answer())).toEqual(expected);
        expect(world.columns(slotCount)).toEqual(direct.columns(slotCount));
      }),
      { numRuns: 150 },
    );
  });

  it('does so on any range, and leaves the slots beside it alone', () => {
    const range = fc.tuple(fc.nat(9), fc.nat(9));
    fc.assert(
      fc.property(range, fc.nat(1000), arbitraryInstructions, ([from, left], seed, instructions) => {
        const to = 30 - left;
        const direct = new ProgramWorld(kind, 30, seed);
        for (const instruction of instructions) instruction.call(direct, from, to);
        const world = new ProgramWorld(kind, 30, seed);
        for (const instruction of instructions) instruction.write(world);
        const { kernels, program, memory } = world;
        const results = memory.allocate(1024);
        kernels.interpret(program.pointer, program.instructionCount, program.results.size, results, from, to);
        expect(world.columns(30)).toEqual(direct.columns(30));
      }),
    );
  });

  it('finds in parts, merged in any order, what it finds in one go', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(1000), arbitraryInstructions, (slotCount, seed, instructions) => {
        const [whole, parts] = [new ProgramWorld(kind, slotCount, seed), new ProgramWorld(kind, slotCount, seed)];
        const expected = instructions.map((instruction) => instruction.write(whole));
        const answers = instructions.map((instruction) => instruction.write(parts));
        new InlineRunner(whole).run(whole.program, slotCount);
        new PartsRunner(parts, seed).run(parts.program, slotCount);
        expect(answers.map((answer) => answer())).toEqual(expected.map((answer) => answer()));
        expect(parts.columns(slotCount)).toEqual(whole.columns(slotCount));
      }),
      { numRuns: 300 },
    );
  });

  it('comes to the same when all that it writes has moved away, whoever still writes there', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(1000), arbitraryInstructions, (slotCount, seed, instructions) => {
        const [stays, moves] = [new ProgramWorld(kind, slotCount, seed), new ProgramWorld(kind, slotCount, seed)];
        const expected = instructions.map((instruction) => instruction.write(stays));
        const answers = instructions.map((instruction) => instruction.write(moves));
        const { program, table, memory, feasible, whole, rows } = moves;
        const before = [feasible, ...whole, rows].map(({ pointer }) => pointer);
        program.moveAway(table);
        [feasible, ...whole, rows].forEach(({ pointer }, i) => {
          if (pointer === before[i]) return;
          new Uint8Array(memory.memory.buffer, before[i], slotCount).fill(0x55);
        });
        new InlineRunner(stays).run(stays.program, slotCount);
        new InlineRunner(moves).run(program, slotCount);
        expect(answers.map((answer) => answer())).toEqual(expected.map((answer) => answer()));
        expect(moves.columns(slotCount)).toEqual(stays.columns(slotCount));
      }),
    );
  });

  it('that builds, and is run tile by tile, comes to what its kernels come to', () => {
    const slotCount = 4200;
    fc.assert(
      fc.property(fc.nat(1000), arbitraryInstructions, (seed, instructions) => {
        const direct = new ProgramWorld(kind, slotCount, seed);
        const expected = instructions.map((instruction) => instruction.call(direct, 0, slotCount));
        const world = new ProgramWorld(kind, slotCount, seed, true);
        const answers = instructions.map((instruction) => instruction.write(world));
        new InlineRunner(world).run(world.program, slotCount);
        expect(answers.map((answer) => answer())).toEqual(expected);
        expect(world.columns(slotCount)).toEqual(direct.columns(slotCount));
      }),
      { numRuns: 3 },
    );
  });

  it('may be written anew, and asks again', () => {
    const world = new ProgramWorld(kind, 20, 1);
    const { program, feasible, whole } = world;
    const runner = new InlineRunner(world);
    feasible.values.fill(-1);
    program.fill(whole[0], 7);
    const first = program.maxFeasible(whole[0], feasible);
    runner.run(program, 20);
    expect(program.number(first)).toBe(7);
    program.clear();
    const second = world.countSlots();
    runner.run(program, 0);
    expect(program.number(second)).toBe(0);
    expect(program.instructionCount).toBe(1);
  });
});
