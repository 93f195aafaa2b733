import type { Tool } from '../../call/tool.ts'
import { browserClick, browserSelect, browserType } from './act.ts'
import type { Browsers } from './browsers.ts'
import { browserEval } from './eval.ts'
import { browserConsoleLogs, browserNetworkLogs } from './logs.ts'
import { browserOpen } from './open.ts'
import { browserScreenshot } from './screenshot.ts'
import { browserWait } from './wait.ts'

export function browserTools(browsers: Browsers): readonly Tool[] {
  return [
    browserOpen,
    browserClick,
    browserType,
    browserSelect,
    browserWait,
    browserEval,
    browserScreenshot,
    browserNetworkLogs,
    browserConsoleLogs,
  ].map((make) => make(browsers))
}
