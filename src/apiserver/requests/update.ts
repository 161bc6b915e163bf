import type { ApiObject } from '../../kinds/object/json.ts';
import { notFound } from '../../kinds/object/refusals.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { otherUid } from '../metadata/other-uid.ts';
import { strategyOf } from '../strategies/strategies.ts';
import { createObject } from './create.ts';
import { updateObject, withCheckedName } from './object-updates.ts';
import { type WriteOptions, writeOptions } from './query.ts';
import { readObject } from './read-object.ts';
import { warned } from './warned.ts';

/** PUT to an object, or to its status. @throws StatusError */
export function update(asked: ResourceRequest): Answer {
  const { modules, request, served } = asked;
  const options = writeOptions(request.query, 'UpdateOptions');
  const { object, warnings } = readObject(modules, request, served.schema, options.fieldValidation);
  return warned(warnings, () => putObject(asked, object, options, warnings));
}

function putObject(
  asked: ResourceRequest,
  object: ApiObject,
  options: WriteOptions,
  warnings: readonly string[],
): Answer {
  const { modules, served, namespace, name, subresource } = asked;
  withCheckedName(asked, object);
  const old = modules.storages.of(served).get(namespace, name);
  const { uid } = object.metadata ?? {};
  const found = old?.metadata?.uid;
  if (uid && uid !== found)
    throw otherUid(served.resource, { namespace: served.resource.isNamespaced ? namespace : '', name, uid, found });
  if (old === undefined) {
    if (!strategyOf(served.resource).createsOnUpdate || subresource !== '') throw notFound(served.resource, name);
    const created = createObject(asked, object, options);
    return answerOf(served, created, {
      status: 201,
      warnings: [...warnings, ...served.schema.warnings(created, undefined)],
    });
  }
  const stored = updateObject(asked, object, old, options);
  return answerOf(served, stored, { warnings: [...warnings, ...served.schema.warnings(stored, old)] });
}
