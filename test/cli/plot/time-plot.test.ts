import { describe, expect, it } from 'vitest';
import { timePlot } from '../../../src/cli/plot/time-plot.ts';

const HOUR = 3_600_000;

const plot = (points: readonly (readonly [millis: number, ...values: number[]])[], names = ['Pending', 'Running']) =>
  timePlot({
    title: 'Pods <now>',
    series: { names, points: points.map(([atMillis, ...values]) => ({ atMillis, values })) },
    startMillis: 0,
    formatValue: String,
  });

describe('timePlot', () => {
  it('draws a line for each series, and names it', () => {
    const svg = plot([
      [0, 0, 1],
      [HOUR, 4, 2],
      [4 * HOUR, 4, 10],
    ]);
    expect(svg?.match(/<path /g)).toHaveLength(2);
    expect(svg).toContain('>Pending<');
    expect(svg).toContain('Pods &lt;now&gt;');
  });

  it('counts time in a unit that fits', () => {
    expect(
      plot([
        [0, 1],
        [90_000, 1],
      ]),
    ).toContain('>80 s<');
    expect(
      plot([
        [0, 1],
        [4 * HOUR, 1],
      ]),
    ).toContain('>4 h<');
    expect(
      plot([
        [0, 1],
        [240 * HOUR, 1],
      ]),
    ).toContain('>10 d<');
  });

  it('holds a value until the next', () => {
    expect(
      plot([
        [0, 0],
        [HOUR, 5],
        [2 * HOUR, 5],
      ]),
    ).toMatch(/M64\.0 244\.0H524\.0V30\.0H984\.0V30\.0/);
  });

  it('is nothing where there is nothing to be seen', () => {
    expect(plot([[0, 1, 1]])).toBeNull();
    expect(
      plot([
        [0, 0, 0],
        [HOUR, 0, 0],
      ]),
    ).toBeNull();
  });
});
