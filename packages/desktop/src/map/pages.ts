// Every page of the map. Each loads when it is first opened, and with it the schemas it draws.
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { type PageName, pageNames, pathOf } from './page-name.ts'

export interface Page {
  readonly name: PageName
  readonly path: string
  readonly View: LazyExoticComponent<ComponentType>
}

const views: Record<PageName, Page['View']> = {
  overview: lazy(() => import('./overview/overview.tsx')),
  states: lazy(() => import('./states/states.tsx')),
  tools: lazy(() => import('./tools/tools.tsx')),
  commands: lazy(() => import('./commands/commands.tsx')),
  events: lazy(() => import('./events/events.tsx')),
  endpoints: lazy(() => import('./endpoints/endpoints.tsx')),
  sync: lazy(() => import('./sync/sync.tsx')),
  cards: lazy(() => import('./cards/cards.tsx')),
}

export const pages: readonly Page[] = pageNames.map((name) => ({ name, path: pathOf(name), View: views[name] }))

export function pageAt(path: string): Page | undefined {
  return pages.find((page) => page.path === path)
}
