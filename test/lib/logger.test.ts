import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../src/lib/clock.ts';
import { LineLogger, LOG_LEVELS, type LogLevel, NO_LOGGER } from '../../src/lib/logger.ts';

function lineLogger(level?: LogLevel) {
  const lines: string[] = [];
  return { lines, logger: new LineLogger({ ...(level && { level }), write: (line) => lines.push(line) }) };
}

describe('LineLogger', () => {
  it.each([
    ['error', 'ERROR'],
    ['warn', 'ERROR WARN'],
    ['info', 'ERROR WARN INFO'],
    ['debug', 'ERROR WARN INFO DEBUG'],
  ] as const)('writes at level %s: %s', (level, expected) => {
    const { lines, logger } = lineLogger(level);
    for (const each of LOG_LEVELS) logger[each]('said');
    expect(lines).toEqual(expected.split(' ').map((word) => `${word} berth said`));
    expect(LOG_LEVELS.filter((each) => logger.isEnabled(each))).toHaveLength(lines.length);
  });

  it('writes at level info where none is named', () => {
    const { logger } = lineLogger();
    expect(LOG_LEVELS.filter((level) => logger.isEnabled(level))).toEqual(['error', 'warn', 'info']);
  });

  it('writes component and values, and quotes what could be misread', () => {
    const { lines, logger } = lineLogger();
    logger.named('scheduler').info('decided', {
      pod: 'default/web',
      score: 463,
      big: 2n ** 60n,
      isRetry: false,
      node: null,
      absent: undefined,
      message: '0/3 nodes are available',
      empty: '',
      pair: 'a=b',
      victims: ['default/a', 'default/b c'],
      error: new Error('connection refused\nby "e"'),
    });
    expect(lines).toEqual([
      'INFO scheduler decided pod=default/web score=463 big=1152921504606846976 isRetry=false node=null ' +
        'message="0/3 nodes are available" empty="" pair="a=b" victims=["default/a","default/b c"] ' +
        'error="connection refused\\nby \\"e\\""',
    ]);
  });

  it('says the time of the clock that it is given, from then on', () => {
    const { lines, logger } = lineLogger();
    const clock = new FakeClock(Date.UTC(2026, 0, 1));
    const cluster = logger.named('cluster', clock);
    cluster.info('started');
    clock.advance(1500);
    cluster.named('scheduler').warn('late', { millis: 3 });
    logger.info('elsewhere');
    expect(lines).toEqual([
      'INFO cluster started time=2026-01-01T00:00:00.000Z',
      'WARN scheduler late time=2026-01-01T00:00:01.500Z millis=3',
      'INFO berth elsewhere',
    ]);
  });

  it('writes one line, whatever the values are', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '"', '=', '\\', '\n', '\r', '\u0085', '\u2028', '\u2029'),
    });
    fc.assert(
      fc.property(text, fc.array(text), (value, list) => {
        const { lines, logger } = lineLogger();
        logger.error('said', { value, list });
        expect(lines).toHaveLength(1);
        expect(lines[0]).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
        const [, shown, shownList] = /^ERROR berth said value=(.*) list=(.*)$/.exec(lines[0] ?? '') ?? [];
        expect(shown?.startsWith('"') ? JSON.parse(shown) : shown).toBe(value);
        expect(JSON.parse(shownList ?? '')).toEqual(list);
      }),
    );
  });
});

it('nobody sees what is logged where no logger is given', () => {
  expect(LOG_LEVELS.some((level) => NO_LOGGER.isEnabled(level))).toBe(false);
  expect(NO_LOGGER.named('scheduler')).toBe(NO_LOGGER);
});
