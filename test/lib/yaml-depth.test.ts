import { describe, expect, it } from 'vitest';
import { isDeepYaml } from '../../src/lib/yaml-depth.ts';

describe('isDeepYaml', () => {
  it.each([
    ['brackets', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['braces', (depth: number) => `${'{a: '.repeat(depth)}b${'}'.repeat(depth)}`],
    ['brackets in many lines', (depth: number) => '[\n'.repeat(depth)],
    ['items', (depth: number) => `${'- '.repeat(depth)}a`],
    ['keys', (depth: number) => `${'? '.repeat(depth)}a`],
    ['indentation', (depth: number) => Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('counts %s', (_, nested) => {
    expect(isDeepYaml(nested(300))).toBe(false);
    expect(isDeepYaml(nested(1000))).toBe(true);
  });

  it('minds neither length nor what is side by side', () => {
    expect(isDeepYaml('- {a: [1, 2]}\n'.repeat(10_000))).toBe(false);
    expect(isDeepYaml(`a: |\n${'  text\n    more\n'.repeat(5000)}b: c\n`)).toBe(false);
    expect(isDeepYaml(`${' '.repeat(2000)}a: far to the right\n`)).toBe(false);
    expect(isDeepYaml(`log: |\n${'  \u001b[1mbold\u001b[0m\n'.repeat(1000)}`)).toBe(false);
  });
});
