// The cloud stores workflows and refuses those that no device could run. It never runs one.
import { checkWorkflow, type Workflow, type WorkflowContent, type WorkflowCreate, type WorkflowListQuery } from '@tandem/contract/workflow'
import { newId } from '../http/id.ts'
import { runIdempotently, type StoredReply } from '../http/idempotency.ts'
import { requireVersion } from '../http/if-match.ts'
import { type Page, pageOf, pageSize } from '../http/page.ts'
import { type Refusal, refuse } from '../http/refusal.ts'
import { faultOf, instant, refuseFaults, text } from '../http/validation/fault.ts'
import type { Services } from '../services.ts'
import * as store from './store.ts'

export interface Workflows {
  list(userId: string, query: WorkflowListQuery): Promise<Page<store.WorkflowSummary>>
  create(userId: string, key: string | undefined, body: WorkflowCreate): Promise<StoredReply<201, Workflow>>
  get(userId: string, id: string): Promise<Workflow>
  replace(userId: string, id: string, ifMatch: string | undefined, body: WorkflowContent): Promise<Workflow>
  delete(userId: string, id: string, ifMatch: string | undefined): Promise<void>
}

export function openWorkflows({ database, now }: Pick<Services, 'database' | 'now'>): Workflows {
  return {
    async list(userId, query) {
      refuseFaults([...faultOf(text, '/query/q', query.q), ...faultOf(instant, '/query/updated_since', query.updated_since)])
      const size = pageSize(query)
      const rows = await database.asUser(userId, (sql) => store.listWorkflows(sql, userId, query, size))
      return pageOf('workflows', rows, size, ({ updated_at, id }) => [updated_at, id])
    },

    async create(userId, key, body) {
      demandSound(body)
      return database.asUser(userId, (sql) =>
        runIdempotently(sql, { user_id: userId, key, route: 'workflows_create', request: body }, async () => {
          const made = now()
          const at = new Date(made).toISOString()
          const { id = newId(made), ...content } = body
          const known = body.id === undefined ? undefined : await store.lockWorkflow(sql, userId, id)
          if (known) requireVersion('"0"', known.version, `workflow ${id}`)
          const workflow = { id, ...content, version: 1, created_at: at, updated_at: at }
          await store.insertWorkflow(sql, userId, workflow)
          return { status: 201, body: workflow }
        }),
      )
    },

    async get(userId, id) {
      const workflow = await database.asUser(userId, (sql) => store.findWorkflow(sql, userId, id))
      if (!workflow) throw missing(id)
      return workflow
    },

    async replace(userId, id, ifMatch, body) {
      demandSound(body)
      return database.asUser(userId, async (sql) => {
        const stored = await store.lockWorkflow(sql, userId, id)
        if (!stored) throw missing(id)
        requireVersion(ifMatch, stored.version, `workflow ${id}`)
        // Never goes back, on any node's clock: otherwise queries for recent changes would miss it.
        const updated_at = new Date(Math.max(now(), Date.parse(stored.updated_at))).toISOString()
        const workflow = { id: stored.id, ...body, version: stored.version + 1, created_at: stored.created_at, updated_at }
        await store.replaceWorkflow(sql, userId, workflow)
        return workflow
      })
    },

    async delete(userId, id, ifMatch) {
      await database.asUser(userId, async (sql) => {
        const stored = await store.lockWorkflow(sql, userId, id)
        if (!stored) throw missing(id)
        requireVersion(ifMatch, stored.version, `workflow ${id}`)
        await store.deleteWorkflow(sql, userId, id)
      })
    },
  }
}

function missing(id: string): Refusal {
  return refuse('not_found', `there is no workflow ${id}`)
}

function demandSound(body: WorkflowContent): void {
  refuseFaults([...faultOf(text, '/name', body.name), ...faultOf(text, '/description', body.description)])
  const issues = checkWorkflow(body.definition).map(({ pointer, message }) => ({ pointer: `/definition${pointer}`, message }))
  const [first] = issues
  if (first) throw refuse('invalid_workflow', `${first.pointer}: ${first.message}`, { errors: issues.slice(0, 100) })
}
