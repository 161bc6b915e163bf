import { describe, expect, it } from 'vitest';
import { formatPhases } from '../../../src/cli/output/phase-table.ts';
import type { PhaseTime } from '../../../src/framework/tracing/phase-times.ts';

const time = (
  path: readonly string[],
  calls: number,
  totalMillis: number,
  more: Partial<PhaseTime> = {},
): PhaseTime => ({
  path,
  point: null,
  calls,
  totalMillis,
  meanMicros: (totalMillis * 1000) / calls,
  share: totalMillis / 200,
  ...more,
});

const TIMES = [
  time(['schedule'], 12_000, 200),
  time(['schedule', 'encode'], 12_000, 40),
  time(['schedule', 'encode', 'verdicts'], 12_000, 30),
  time(['schedule', 'encode', 'verdicts', 'NodeName'], 60_000, 6, { point: 'filter' }),
  time(['schedule', 'score'], 12_000, 0.5),
  time(['schedule', 'score', 'ImageLocality'], 12_000, 0.25, { point: 'score' }),
];

describe('formatPhases', () => {
  it('indents what lies within, and names the point where it is not that of the phase', () => {
    expect(formatPhases('hetero', { timedDecisions: 12_000, times: TIMES })).toBe(
      [
        'hetero',
        'PHASE                      CALLS   TOTAL MS   MEAN µS    SHARE',
        'schedule                  12,000     200.00    16.667   100.0%',
        '  encode                  12,000      40.00     3.333    20.0%',
        '    verdicts              12,000      30.00     2.500    15.0%',
        '      NodeName (filter)   60,000       6.00     0.100     3.0%',
        '  score                   12,000       0.50     0.042     0.3%',
        '    ImageLocality         12,000       0.25     0.021     0.1%',
        'A time includes what is indented below it. Plugins asked node by node are timed on some of the nodes.',
        '',
      ].join('\n'),
    );
  });

  it('says from how many decisions the others were estimated', () => {
    const text = formatPhases('hetero', { timedDecisions: 1234, times: TIMES });
    expect(text).toContain('\nEstimated from 1,234 decisions. A time includes');
  });

  it('says that a run of pods counts as one', () => {
    const text = formatPhases('hetero', { timedDecisions: 3, times: [...TIMES, time(['schedule', 'place'], 3, 9)] });
    expect(text).toMatch(/nodes\.\nPods that are placed by index in one call count as one\.\n$/);
  });

  it('has a word for nothing', () => {
    expect(formatPhases('empty', { timedDecisions: 0, times: [] })).toBe('empty: nothing was decided\n');
  });
});
