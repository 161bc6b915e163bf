import { afterEach, describe, expect, it, vi } from 'vitest';
import { hostModule, latePackage, neededHostModule } from '../../src/lib/host-modules.ts';

afterEach(() => vi.unstubAllGlobals());

describe('modules of the runtime', () => {
  it('are those of Node', () => {
    expect(hostModule('node:os')?.availableParallelism()).toBeGreaterThan(0);
    expect(neededHostModule('node:fs').existsSync(import.meta.filename)).toBe(true);
  });

  it('are missing in a browser, which is said where they are needed', () => {
    vi.stubGlobal('process', undefined);
    expect(hostModule('node:os')).toBeUndefined();
    expect(() => neededHostModule('node:http')).toThrow(
      'the module node:http is needed here: this runtime does not have it',
    );
  });
});

describe('packages', () => {
  it('are loaded once', () => {
    expect(latePackage('yaml').parse('a: 1')).toEqual({ a: 1 });
    expect(latePackage('yaml')).toBe(latePackage('yaml'));
  });

  it('that are not installed are named in one line', () => {
    expect(() => latePackage('no-such-package' as 'yaml')).toThrow(
      /^the package no-such-package is needed here: Cannot find module 'no-such-package'$/,
    );
  });
});
