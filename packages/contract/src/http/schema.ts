// Every route of the cloud, by id.
import type { Route } from './route.ts'
import { authRoutes } from './routes/auth.ts'
import { fileRoutes } from './routes/files.ts'
import { llmRoutes } from './routes/llm.ts'
import { logRoutes } from './routes/logs.ts'
import { serviceRoutes } from './routes/service.ts'
import { syncRoutes } from './routes/sync.ts'
import { taskRoutes } from './routes/tasks.ts'
import { userRoutes } from './routes/users.ts'
import { workflowRoutes } from './routes/workflows.ts'

export * from './list.ts'

export const routes = {
  ...serviceRoutes,
  ...authRoutes,
  ...userRoutes,
  ...syncRoutes,
  ...workflowRoutes,
  ...taskRoutes,
  ...fileRoutes,
  ...logRoutes,
  ...llmRoutes,
} satisfies Record<string, Route>

export type Routes = typeof routes
export type RouteId = keyof Routes
