import { isJsonObject, type JsonValue } from '../object/json.ts';
import { StatusError } from '../object/status-error.ts';
import { goValueText } from './go-value-text.ts';

/** The order of lists that strategic merge patches (apimachinery/pkg/util/strategicpatch/patch.go). */
export type NameOf = (item: JsonValue) => JsonValue | undefined;

/** Returns the function that identifies an item in a list that is merged by this key; without key it is itself. */
export function nameBy(mergeKey: string | undefined): NameOf {
  if (mergeKey === undefined) return (item) => item;
  return (item) => (isJsonObject(item) ? item[mergeKey] : undefined);
}

/** Checks that patched items are in the order list, and in that order. @throws StatusError */
export function refuseOtherOrder(patched: readonly JsonValue[], order: readonly JsonValue[], nameOf: NameOf): void {
  if (order.length === 0) return;
  let found = 0;
  for (const item of order) {
    if (found < patched.length && nameOf(patched[found]!) === nameOf(item)) found++;
  }
  if (found === patched.length) return;
  const [given, wanted] = [patched, order].map((list) => goValueText([...list]));
  const message = `The order in patch list:\n${given}\n doesn't match $setElementOrder list:\n${wanted}\n`;
  throw new StatusError(500, '', message);
}
