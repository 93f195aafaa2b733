// Texts of saved approvals.
import { translated } from '../language/language.ts'
import { locale } from './locale.ts'

export const permissionWords = translated('permissions', {
  title: 'Saved approvals',
  lead: 'Calls that you always allow for this agent. Remove one, and these calls need your approval again.',
  none: 'No saved approvals. Answer an approval with “Always allow” to create one.',
  doing: 'remove the saved approval',
  remove: 'Remove',
  removeNamed: (rule: string, tool: string) => `Remove the saved approval: ${tool}, ${rule}`,
  removed: (rule: string, tool: string) => `Removed: ${tool}, ${rule}. These calls need approval again.`,
  noLongerApplies: 'No longer applies',
  granted: (ago: string) => `Granted ${ago}`,
  grantedIn: 'in',
  grantedOn: {
    this_device: '',
    another_device: 'Granted on another device',
    unknown: 'Granted before Tandem recorded this',
  },
  used: (times: number, ago: string) => `Used ${times === 1 ? 'once' : `${times.toLocaleString(locale)} times`}, last ${ago}`,
  neverUsed: 'Not used on this device yet',
  manage: 'Manage saved approvals',
})
