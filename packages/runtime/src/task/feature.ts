import type { Feature } from '../feature/feature.ts'
import { type TaskCommandPorts, taskHandlers } from './commands.ts'

/** Tasks that the cloud has for this device. They are accepted only as the user has configured. */
export function openTaskFeature(ports: TaskCommandPorts): Feature {
  return { name: 'tasks', commands: taskHandlers(ports) }
}
