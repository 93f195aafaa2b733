import type { RemoteCommands } from '../call/remote.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import { knownSearch, searchEnvironmentProblem } from '../settings/search.ts'
import { openBrowsers } from './browser/browsers.ts'
import { browserTools } from './browser/tools.ts'
import { fsTools } from './fs/index.ts'
import { imageSettings } from './settings.ts'
import { shellTools } from './shell/index.ts'
import { openProcesses, type Processes } from './shell/processes.ts'
import { systemTools } from './system/tools.ts'
import { webTools } from './web/tools.ts'

export interface ToolNeeds {
  /** Opened after the tools. */
  remote(): RemoteCommands
}

export interface ToolsFeature extends Feature {
  readonly processes: Processes
  /** Whether models get images. */
  imagesToModels(): 'auto' | 'always' | 'never'
}

/** The tools for files, commands, the web, the browser and the system. */
export function openToolsFeature({ clock, store, settings, environment, log }: FeatureContext, { remote }: ToolNeeds): ToolsFeature {
  const processes = openProcesses({ clock, newId: store.newId })
  const browsers = openBrowsers({ clock, log })
  const search = () => knownSearch(settings.read(), settings.searchKey(), environment)
  const complaint = searchEnvironmentProblem(environment)
  if (complaint) log(complaint)
  return {
    name: 'tools',
    settings: imageSettings,
    imagesToModels: () => settings.section(imageSettings).to_models,
    processes,
    tools: [
      ...fsTools,
      ...shellTools(processes, remote),
      ...webTools({ search, secret: () => search()?.key ?? null }),
      ...browserTools(browsers),
      ...systemTools(),
    ],
    async endRun(run_id) {
      await Promise.all([processes.endRun(run_id), browsers.endRun(run_id)])
    },
    async stop() {
      // The recovery points of background commands are closed when these have ended.
      await processes.stop()
      await browsers.stop()
    },
  }
}
