import { CustomSchema } from '../custom/custom-schema.ts';
import { objectAt, objectsAt, textAt } from '../defaults/members.ts';
import type { ApiObject } from '../object/json.ts';
import type { KindSchema, SchemaRegistry } from '../object/kind-schema.ts';
import { type BuiltInSchema, builtInSchema } from './built-in-schema.ts';

/** The schemas of all kinds; those of built-in kinds are made when they are first asked for. */
export class KindSchemas implements SchemaRegistry {
  private readonly builtIns = new Map<string, BuiltInSchema | undefined>();

  builtIn(group: string, version: string, kind: string): KindSchema | undefined {
    const key = `${group}/${version}/${kind}`;
    if (!this.builtIns.has(key)) this.builtIns.set(key, builtInSchema(group, version, kind));
    return this.builtIns.get(key);
  }

  custom(definition: ApiObject): ReadonlyMap<string, KindSchema> {
    const versions = objectsAt(objectAt(definition, 'spec'), 'versions');
    return new Map(versions.map((version) => [textAt(version, 'name'), new CustomSchema(definition, version)]));
  }
}
