import { describe, expect, it } from 'vitest';
import { DeviceSelector } from '../../../../src/index-cel.ts';

const GPU = {
  driver: 'gpu.example.com',
  attributes: {
    model: { string: 'a100' },
    index: { int: 2n ** 63n - 1n },
    driverVersion: { version: '1.10.3' },
    'other.example/label': { string: 'x' },
  },
  capacity: { memory: { value: '40Gi' } },
};

function selectorOf(expression: string, hasLists = false): DeviceSelector {
  const selector = DeviceSelector.compile(expression, { hasLists });
  if (!(selector instanceof DeviceSelector)) throw new Error(selector.message);
  return selector;
}

describe('DeviceSelector', () => {
  it.each<[string, boolean]>([
    ['device.driver == "gpu.example.com"', true],
    ['device.attributes["gpu.example.com"].model in ["a100", "h100"]', true],
    ['device.attributes["gpu.example.com"].index == 9223372036854775807', true],
    ['device.attributes["gpu.example.com"].driverVersion.isGreaterThan(semver("1.9.0"))', true],
    ['device.attributes["other.example"].label == "x"', true],
    ['device.capacity["gpu.example.com"].memory.compareTo(quantity("40960Mi")) == 0', true],
    ['device.attributes["nosuch.example"].size() == 0', true],
    ['"nosuch.example" in device.attributes', false],
    ['device.allowMultipleAllocations', false],
  ])('%s', (expression, result) => {
    expect(selectorOf(expression).matches(GPU)).toMatchObject({ result, error: undefined });
  });

  it('says what a device lacks, and what is no condition', () => {
    const { matches } = { matches: (text: string) => selectorOf(text).matches(GPU).error };
    expect(matches('device.attributes["gpu.example.com"].nvlink')).toBe('no such key: nvlink');
    expect(matches('device.attributes["gpu.example.com"].model')).toBe(
      "CEL result of type string could not be converted to bool: unsupported native conversion from string to 'bool'",
    );
    expect(DeviceSelector.compile('device.driver')).toEqual({
      kind: 'RuleInvalid',
      message: 'must evaluate to bool or the unknown type, not string',
    });
  });

  it('knows lists only where they are allowed', () => {
    const device = { driver: 'd', attributes: { peers: { strings: ['a', 'b'] }, none: {} } };
    expect(selectorOf('"a" in device.attributes["d"].peers', true).matches(device).result).toBe(true);
    expect(selectorOf('device.attributes["d"].none.size() == 0', true).matches(device).result).toBe(true);
    expect(selectorOf('true').matches(device).error).toBe('attribute none: unsupported attribute value');
  });

  it('refuses devices whose version is none', () => {
    const device = { driver: 'd', attributes: { v: { version: '1.0' } } };
    expect(selectorOf('true').matches(device).error).toBe(
      'attribute v: parse semantic version: No Major.Minor.Patch elements found',
    );
  });

  it('estimates what a condition may cost', () => {
    const text = 'device.attributes["gpu.example.com"].exists(k, k == "model")';
    expect(selectorOf(text).maxCost).toBe(196n);
  });
});
