// What a message during a run is about, by what happened around it and not by its words. Pure.
import type { SaidMessage } from './behavior.ts'
import { callShapes } from './call-shape.ts'

export interface CallAround {
  readonly tool: string
  readonly arguments: string
}

export interface Around {
  /** The calls right before and after the message. */
  readonly before: CallAround | undefined
  readonly after: CallAround | undefined
  /** The person restored files between the last call and the message. */
  readonly restored: boolean
}

export function aboutOf({ before, after, restored }: Around, workspace: string): SaidMessage['about'] {
  if (restored) return 'restored'
  if (!before || !after || before.arguments === after.arguments) return null
  const [one, other] = [before, after].map(({ tool, arguments: args }) => callShapes(tool, args, workspace))
  // Reading the next file is no second attempt.
  if (!one?.some(({ effectful }) => effectful)) return null
  return one.map(({ shape }) => shape).join('\n') === other?.map(({ shape }) => shape).join('\n') ? 'redone' : null
}
