import type { Tool } from '../../call/tool.ts'
import { webExtract } from './extract.ts'
import { webFetch } from './fetch.ts'
import { type SearchPorts, webSearch } from './search.ts'

export type { SearchPorts } from './search.ts'

export function webTools(ports: SearchPorts): readonly Tool[] {
  return [webSearch(ports), webFetch, webExtract]
}
