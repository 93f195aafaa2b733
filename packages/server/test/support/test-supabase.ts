// Supabase Storage for tests, on its own database.

import type { SupabaseTarget } from '../../src/blobs/supabase.ts'
import { startTestSupabase as startProject } from './supabase.ts'
import { testDatabase } from './test-database.ts'

export interface TestSupabase {
  readonly target: SupabaseTarget
  readonly requests: string[]
  stop(): Promise<void>
}

export async function startTestSupabase(folder: string, options: { ranges?: 'honoured' | 'ignored' } = {}): Promise<TestSupabase> {
  const { target, close } = await testDatabase()
  const project = await startProject({
    ...{ database: target, folder, jwt_secret: 'a-secret-of-the-tests-that-is-long-enough-0123456789' },
    ...options,
  })
  return {
    target: { kind: 'supabase', url: project.url, key: project.service_key, bucket: 'tandem-files' },
    requests: project.requests,
    async stop() {
      await project.stop()
      await close()
    },
  }
}
