// Makes a copy or merges, and kills itself at a crash point. Arguments: folder, action, point.
import { openTestTeam } from './test-team.ts'

const [, , folder = '', action = '', point = ''] = process.argv
const team = openTestTeam({
  folder,
  crashPoint(name) {
    if (name === point) process.kill(process.pid, 'SIGKILL')
  },
})
if (action === 'copy') await team.start(3)
if (action === 'merge') await team.merge([1, 2])
process.stdout.write('survived')
process.exit(0)
