export * from '../canonical-json.ts'
export * from './entity-types.ts'
export * from './merge.ts'
export type { Change, ChangePayload, PullQuery, PullReply, PushReply, PushRequest, TodoItem, TodosPayload, Verdict } from './schema.ts'
