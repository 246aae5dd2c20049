// What roles are called and what they bring, and who may give which.
import { useLingui } from "@lingui/react/macro";
import { Select } from "@mantine/core";
import type { OrganizationRole, ProjectRole } from "@/api/types";

export function useOrganizationRoles(): Record<OrganizationRole, { label: string; meaning: string }> {
  const { t } = useLingui();
  return {
    member: { label: t`member`, meaning: t`Reads what projects show to the organization, and what is shared with them.` },
    administrator: { label: t`administrator`, meaning: t`Manages people, teams and every project, and reads the audit log.` },
    owner: { label: t`owner`, meaning: t`Does everything, also renames and deletes the organization.` },
  };
}

export function useProjectRoles(): Record<ProjectRole, string> {
  const { t } = useLingui();
  return { reader: t`reader`, maintainer: t`maintainer` };
}

/** Administrators and owners manage people and teams. */
export function administers(role: OrganizationRole) {
  return role !== "member";
}

/** Only owners make owners, and only they change or remove one. */
export function grantableRoles(own: OrganizationRole): OrganizationRole[] {
  if (own === "owner") return ["member", "administrator", "owner"];
  return own === "administrator" ? ["member", "administrator"] : [];
}

export function mayChangeMember(own: OrganizationRole, of: OrganizationRole) {
  return own === "owner" || (own === "administrator" && of !== "owner");
}

interface RoleSelectProps {
  label: string;
  value: ProjectRole;
  onChange: (role: ProjectRole) => void;
  disabled?: boolean;
}

export function ProjectRoleSelect({ label, value, onChange, disabled }: RoleSelectProps) {
  const roles = useProjectRoles();
  return (
    <Select
      size="xs"
      w={140}
      aria-label={label}
      allowDeselect={false}
      disabled={disabled}
      data={(["reader", "maintainer"] as const).map((role) => ({ value: role, label: roles[role] }))}
      value={value}
      onChange={(role) => role && onChange(role as ProjectRole)}
    />
  );
}
