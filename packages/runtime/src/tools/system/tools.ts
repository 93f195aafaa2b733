import type { Tool } from '../../call/tool.ts'
import { httpRequest } from './http.ts'
import { timeNow } from './time.ts'

export function systemTools(): readonly Tool[] {
  return [timeNow, httpRequest]
}
