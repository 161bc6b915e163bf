import type { EngineName } from '../../../src/index.ts';
import { checkDecide } from '../check-decide.ts';
import { type Difference, differences } from '../differences.ts';
import type { RecordedCase } from '../read-cases.ts';
import type { DraDecideCase } from './dra-case.ts';
import { DraRig } from './dra-rig.ts';
import { withNumberedShares } from './share-ids.ts';

/** Checks the decision, and then the devices on every node and what is written for the chosen one. */
export function checkDraDecide(recorded: RecordedCase, engine: EngineName): Difference[] {
  const found = checkDecide(recorded, engine);
  const drawn = recorded as unknown as DraDecideCase;
  const { chosen, devices, allocation, preBind } = drawn.expect;
  if (chosen === undefined) return found;
  for (const [node, wanted] of Object.entries(devices ?? {})) {
    found.push(...differences(`devices.${node}`, wanted, new DraRig(drawn).devicesOn(node)));
  }
  const rig = new DraRig(drawn);
  const compare = (field: string, expected: unknown, got: unknown): void => {
    found.push(...differences(field, withNumberedShares(expected), withNumberedShares(got)));
  };
  compare('allocation', allocation ?? {}, rig.reserve(chosen));
  compare('preBind', preBind, rig.preBind(chosen));
  return found;
}
