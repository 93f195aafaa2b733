// Every field of every request that contains an id: read from the contract, so that new routes are tested automatically.
import { isContent, type Route } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import type { ContractRequest } from './contract-client.ts'

export interface IdField {
  readonly route: RouteId
  readonly part: 'params' | 'query' | 'headers' | 'body'
  /** Names and, in lists, the first position. */
  readonly path: readonly (string | number)[]
}

const named = /(?:^|[_-])id$|^cursor|^snapshot_ts$|-key$/

export function idFields(): IdField[] {
  const all = Object.values(routes) as (Route & { id: RouteId })[]
  const places = all
    .filter(({ auth }) => auth === 'user')
    .flatMap((route) =>
      (['params', 'query', 'headers', 'body'] as const).flatMap((part) => {
        const shape = route[part]
        if (!shape || isContent(shape)) return []
        return pathsIn(shape, []).map((path): IdField => ({ route: route.id, part, path }))
      }),
    )
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
}

/** The request with `value` in that field. */
export function withIdAt(visit: ContractRequest, { part, path }: IdField, value: string): ContractRequest {
  return { ...visit, [part]: put(visit[part], path, value) }
}

function pathsIn(schema: object, before: readonly (string | number)[]): (string | number)[][] {
  const paths: (string | number)[][] = []
  if ('properties' in schema) {
    for (const [name, property] of Object.entries(Object(schema.properties))) {
      if (named.test(name)) paths.push([...before, name])
      paths.push(...pathsIn(Object(property), [...before, name]))
    }
  }
  if ('items' in schema) paths.push(...pathsIn(Object(schema.items), [...before, 0]))
  if ('anyOf' in schema && Array.isArray(schema.anyOf)) paths.push(...schema.anyOf.flatMap((one) => pathsIn(Object(one), before)))
  return paths
}

function put(into: unknown, [name, ...rest]: readonly (string | number)[], value: string): unknown {
  if (name === undefined) return value
  if (typeof name === 'number') {
    const list = Array.isArray(into) ? into : []
    return list.with(name, put(list[name], rest, value))
  }
  return { ...Object(into), [name]: put(Object(into)[name], rest, value) }
}
