import { describe, expect, it } from 'vitest';
import { courseOf, formatCourse, type ObservedCourse } from '../../../src/cli/output/course.ts';

const START = 1_000_000;
const HOUR = 3_600_000;
const at = (hours: number, ...values: number[]) => ({ atMillis: START + hours * HOUR, values });

/** A day with an hour a bin: pods come in the first, wait for room until noon, and end in the evening. */
const DAY: ObservedCourse = {
  startMillis: START,
  podsByPhase: {
    names: ['Pending', 'Running'],
    points: [at(0, 9, 0), at(0.5, 4, 5), at(12.5, 0, 9), at(20, 0, 0), at(24, 0, 0)],
  },
  usageByResource: { names: ['memory', 'cpu'], points: [at(0, 0, 0), at(0.5, 0, 0.5), at(12.5, 0, 1), at(20, 0, 0)] },
  observed: {
    events: {
      widthMillis: HOUR,
      counts: Array.from({ length: 21 }, (_, hour) => [hour === 0 ? 9 : 0, hour === 12 ? 4 : 0, hour === 20 ? 9 : 0]),
    },
    pendingByReason: {
      names: ['Insufficient cpu', 'no scheduler has looked at it yet'],
      points: [at(0, 0, 9), at(0.5, 4, 0), at(12.5, 0, 0)],
    },
    faults: [1, 1.5, 1.9, 3].map((hours, i) => ({ atMillis: START + hours * HOUR, text: `fault ${i}` })),
  },
};

describe('the course of a run', () => {
  it('has equal stretches with what was so at the end of each, and the most that waited in it', () => {
    const rows = courseOf(DAY);
    expect(rows.map(({ fromSeconds }) => fromSeconds / 3600)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
    expect(rows[0]).toMatchObject({ created: 9, scheduled: 0, running: 5, mostPending: 9, cpuShare: 0.5 });
    expect(rows[0]?.faults).toEqual(['fault 0', 'fault 1', 'fault 2']);
    expect(rows[1]).toMatchObject({ created: 0, mostPending: 4, reason: 'Insufficient cpu', faults: ['fault 3'] });
    expect(rows[6]).toMatchObject({ scheduled: 4, running: 9, mostPending: 4, cpuShare: 1 });
    expect(rows[7]).toMatchObject({ mostPending: 0, reason: null, running: 9 });
    expect(rows[10]).toMatchObject({ ended: 9, running: 0, cpuShare: 0 });
    const total = (key: 'created' | 'scheduled' | 'ended') => rows.reduce((sum, row) => sum + row[key], 0);
    expect([total('created'), total('scheduled'), total('ended')]).toEqual([9, 4, 9]);
  });

  it('is empty where nobody looked, and short for a run of no time', () => {
    expect(courseOf({ ...DAY, observed: null })).toEqual([]);
    expect(formatCourse([], 80)).toBe('');
    const phases = { names: ['Pending', 'Running'], points: [at(0, 0, 0)] };
    expect(courseOf({ ...DAY, podsByPhase: phases })).toHaveLength(1);
  });

  it('loses no event of a run of any length', () => {
    for (const hours of [0.001, 0.3, 1, 7, 24, 25, 24 * 150, 24 * 4000]) {
      const widthMillis = Math.max(1000, 2 ** Math.ceil(Math.log2((hours * HOUR) / 512)));
      const bins = Math.ceil((hours * HOUR) / widthMillis);
      const counts = Array.from({ length: bins }, () => [1, 1, 1]);
      const podsByPhase = { names: ['Pending', 'Running'], points: [at(0, 0, 0), at(hours, 0, 1)] };
      const observed = {
        ...(DAY.observed as NonNullable<ObservedCourse['observed']>),
        events: { widthMillis, counts },
      };
      const rows = courseOf({ ...DAY, podsByPhase, observed });
      expect(rows.length).toBeLessThanOrEqual(13);
      expect(rows.reduce((sum, { created }) => sum + created, 0)).toBe(bins);
      expect(rows.at(-1)?.running).toBe(1);
    }
  });

  it('is printed as a table, without characters that a terminal would obey', () => {
    const hostile = { ...courseOf(DAY)[1], faults: ['\u001b[2J crash'], reason: '\u202ereason' };
    const text = formatCourse([hostile as ReturnType<typeof courseOf>[number]], undefined);
    expect(text).toMatch(/^\nFROM +CREATED +SCHEDULED +ENDED +RUNNING +CPU +MOST PENDING +WHAT HAPPENED\n2h0m0s +0/);
    expect(['\u001b', '\u202e'].filter((character) => text.includes(character))).toEqual([]);
    expect(formatCourse(courseOf(DAY), undefined)).toContain('fault 0; fault 1; 1 more fault; pending: no scheduler');
  });
});
