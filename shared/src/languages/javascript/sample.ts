import { a } from './a';
export * from './b';

/** A service. */
@Injectable()
export abstract class Service<T> extends Base implements Api {
  private count: number = 1;
  constructor(private readonly http: Http) { super(); }
  async load(id: number): Promise<void> {}
  handler = () => {};
  abstract stop(): void;
}

export interface Api { name: string; call(x: number): void }
export type Options = { retries: number };
export enum Color { Red = 'r', Green }
export const build = async (
  options: Options,
): Promise<Api> => {
  return make(options);
};
export function over(a: string): void;
declare module 'x' { export function ambient(): void }
namespace Inner { export const LIMIT = 1; }
export default function () {}
