import { DeskContext } from './desk/use-desk.ts'
import { windowDesk } from './desk/window-desk.ts'
import { Shell } from './shell/shell.tsx'

export function App() {
  return (
    <DeskContext value={windowDesk()}>
      <Shell />
    </DeskContext>
  )
}
