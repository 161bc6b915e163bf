import { DeviceSelector } from '../../../src/index-cel.ts';
import type { Difference } from '../differences.ts';
import type { CelCase, CelDevices } from './cel-case.ts';

/** The estimate above which the API server refuses a selector. */
const TOO_COMPLEX = 1_000_000n;

/** Compiles and evaluates a selector: results, errors, types, and the costs of both. */
export function checkCel(recorded: CelCase, { devices }: CelDevices): Difference[] {
  const hasLists = recorded.featureGates?.['DRAListTypeAttributes'] === true;
  const selector = DeviceSelector.compile(recorded.expression, { hasLists });
  if (!(selector instanceof DeviceSelector)) {
    return compared({
      compileErrorType: [recorded.compileErrorType, selector.kind],
      compileError: [recorded.compileError, selector.message],
    });
  }
  const differences = compared({
    compileError: [recorded.compileError, undefined],
    outputType: [recorded.outputType, selector.type],
    maxCost: [String(recorded.maxCost), String(selector.maxCost)],
    tooComplex: [recorded.tooComplex, selector.maxCost > TOO_COMPLEX],
  });
  for (const [i, device] of (recorded.devices ?? devices).entries()) {
    const { result, error, cost } = selector.matches(device);
    const expected = recorded.expect?.[i];
    const found = compared({
      [`expect[${i}].result`]: [expected?.result, result],
      [`expect[${i}].error`]: [expected?.error, error],
      // The cost of a macro over a map depends on the order of its keys, and is then not recorded.
      [`expect[${i}].cost`]: [expected?.cost, expected?.cost === undefined ? undefined : cost],
    });
    differences.push(...found);
  }
  return differences;
}

function compared(fields: Readonly<Record<string, readonly [expected: unknown, got: unknown]>>): Difference[] {
  return Object.entries(fields)
    .filter(([, [expected, got]]) => expected !== got)
    .map(([field, [expected, got]]) => ({ field, expected, got }));
}
