import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CodedError } from '../../../src/lib/errors.ts';
import { lastBeginMillis, readFaults } from '../../../src/simulation/faults/fault-file.ts';
import { FAULT_KINDS } from '../../../src/simulation/faults/fault-kinds.ts';
import { textSource } from '../../manifests/text-source.ts';

const head = { apiVersion: 'berth.dev/v1alpha1', kind: 'Faults' };

const read = (faults: unknown) => readFaults('f', textSource({ f: stringify({ ...head, faults }) }));

/** What each kind cannot be without. */
const NEEDED: Readonly<Record<string, unknown>> = { share: 0.5, delay: '2s', by: '2s', operation: 'start' };

describe('readFaults', () => {
  it.each(Object.keys(FAULT_KINDS))('reads %s at a time, and again and again', async (fault) => {
    const fields = Object.keys(FAULT_KINDS[fault]?.fields ?? {}).filter((name) => Object.hasOwn(NEEDED, name));
    const needs = Object.fromEntries(fields.map((name) => [name, NEEDED[name]]));
    const [once, often] = await read([
      { fault, at: '90s', ...needs },
      { fault, every: 'exponential(1h)', from: '1m', until: '2h', count: 3, ...needs },
    ]);
    expect(once).toMatchObject({ kind: fault, settings: needs, times: { atMillis: [90_000] } });
    expect(often).toMatchObject({ kind: fault, times: { fromMillis: 60_000, untilMillis: 7_200_000, count: 3 } });
  });

  it('knows which never end', async () => {
    const [at, counted, bounded, endless] = await read([
      { fault: 'lostWatch', at: ['1s', '9s'] },
      { fault: 'lostWatch', every: '1m', count: 2 },
      { fault: 'lostWatch', every: '1m', until: '1h' },
      { fault: 'lostWatch', every: '1m' },
    ]);
    const last = [at, counted, bounded, endless].map((fault) => fault && lastBeginMillis(fault));
    expect(last).toEqual([9000, 0, 3_600_000, Number.POSITIVE_INFINITY]);
  });

  it.each([
    [[], 'faults: must hold at least one item'],
    [[{}], 'faults[0].fault: is required'],
    [[{ fault: 'fire' }], 'faults[0].fault: unknown fault "fire" (known: nodeCrash,'],
    [[{ fault: 'lostWatch' }], 'faults[0]: needs one of at, every'],
    [[{ fault: 'lostWatch', at: '1s', every: '1s' }], 'faults[0]: needs only one of at, every'],
    [[{ fault: 'lostWatch', at: '1s', for: '1s' }], 'faults[0].for: unknown field (known: fault, at,'],
    [[{ fault: 'lostWatch', at: '1s', resource: 'pots' }], 'faults[0].resource: unknown resource "pots"'],
    [[{ fault: 'lostWatch', at: '1s', count: 2 }], 'faults[0].count: belongs to every, not to at'],
    [[{ fault: 'lostWatch', every: '0s' }], 'faults[0].every: must be longer than nothing'],
    [[{ fault: 'lostWatch', every: 0 }], 'faults[0].every: must be a string, not the number 0'],
    [[{ fault: 'lostWatch', every: { a: '1s' } }], 'faults[0].every: must be a string, not an object'],
    [[{ fault: 'lostWatch', every: 'soon' }], 'faults[0].every: time: invalid duration "soon"'],
    [[{ fault: 'clockJump', at: '1s' }], 'faults[0].by: is required'],
    [[{ fault: 'storeConflicts', at: '1s', share: 2 }], 'faults[0].share: must be a number above 0 and up to 1, not 2'],
    [[{ fault: 'runtimeErrors', at: '1s', operation: 'eat' }], 'faults[0].operation: unknown operation "eat"'],
  ])('says file, path and reason of what is wrong (%#)', async (faults, message) => {
    await expect(read(faults)).rejects.toThrow(`f: ${message}`);
  });

  it('refuses whatever else it is given in one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 3 }), async (value) => {
        const error = await readFaults('f', textSource({ f: JSON.stringify({ ...head, faults: [value] }) })).catch(
          (caught: unknown) => caught,
        );
        expect(error).toBeInstanceOf(CodedError);
        expect((error as Error).message).toMatch(/^f: faults.*$/);
      }),
    );
  });
});
