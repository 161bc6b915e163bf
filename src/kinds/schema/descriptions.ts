import { readDataFile } from '../data-file.ts';

/** What the API's documents say of a type, beyond its shape; of its members by name. */
export interface TypeDescription {
  readonly text?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  readonly enums?: Readonly<Record<string, readonly string[]>>;
}

let loaded: Readonly<Record<string, TypeDescription>> | undefined;

/** The descriptions of a type, `core/v1.Pod`; the file is read when somebody first asks. */
export function descriptionOf(id: string): TypeDescription {
  loaded ??= readDataFile('api-descriptions.json') as Readonly<Record<string, TypeDescription>>;
  return loaded[id] ?? {};
}
