//! Who may do what: each role has a secret, and a higher role includes the lower ones.
//!
//! Without the secret `EDGEFLAKE_ISSUE_TOKEN`, what it would open is closed too, unless the variable
//! `EDGEFLAKE_PUBLIC_ISSUE` opens it to everybody.

use subtle::ConstantTimeEq;

use edgeflake_authority::found::Found;
use edgeflake_authority::problem::Problem;

/// What a token allows, the lowest role first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// To get ids, and to read status, nodes and metrics.
    Issue,
    /// To get leases and batches.
    Lease,
    /// To create and destroy sequencers.
    Admin,
}

impl Role {
    /// All roles, the lowest first.
    pub(crate) const ALL: [Self; 3] = [Self::Issue, Self::Lease, Self::Admin];

    /// The name of its secret.
    pub(crate) const fn secret(self) -> &'static str {
        match self {
            Self::Issue => "EDGEFLAKE_ISSUE_TOKEN",
            Self::Lease => "EDGEFLAKE_LEASE_TOKEN",
            Self::Admin => "EDGEFLAKE_ADMIN_TOKEN",
        }
    }

    /// The names of the secrets that include it, such as `EDGEFLAKE_LEASE_TOKEN or
    /// EDGEFLAKE_ADMIN_TOKEN`.
    const fn secrets(self) -> &'static str {
        match self {
            Self::Issue => "EDGEFLAKE_ISSUE_TOKEN, EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN",
            Self::Lease => "EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN",
            Self::Admin => "EDGEFLAKE_ADMIN_TOKEN",
        }
    }
}

/// The secrets, and whether the lowest role needs one.
pub(crate) struct Access {
    /// The secrets in the order of [`Role::ALL`]; none of them is empty.
    secrets: [Option<String>; Role::ALL.len()],
    public: bool,
}

impl Access {
    /// # Errors
    /// A text that names the variable, what was found and what is allowed.
    pub(crate) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let public = match variable("EDGEFLAKE_PUBLIC_ISSUE").as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                return Err(format!(
                    "EDGEFLAKE_PUBLIC_ISSUE is {}: \"true\" and \"false\" are allowed",
                    Found(other)
                ));
            }
        };
        let secrets = Role::ALL
            .map(|role| variable(role.secret()).filter(|secret| !secret.trim().is_empty()));
        Ok(Self { secrets, public })
    }

    /// Admits a request that needs a role by its header `Authorization`, which is read only if it
    /// matters. Returns the role of its token; `None` if it needs no token.
    ///
    /// # Errors
    /// A problem that says which secret to set or to send.
    pub(crate) fn admit(
        &self,
        needed: Role,
        authorization: impl FnOnce() -> Option<String>,
    ) -> Result<Option<Role>, Problem> {
        let issue_secret = &self.secrets[Role::Issue as usize];
        if needed == Role::Issue && self.public && issue_secret.is_none() {
            return Ok(None);
        }
        let Some(header) = authorization() else {
            return Err(self.refusal(needed, "there is no header Authorization"));
        };
        match bearer(&header).map(|token| self.role(token)) {
            None => Err(self.refusal(needed, "the header Authorization has another scheme")),
            Some(None) => Err(self.refusal(needed, "the token is not known")),
            Some(Some(role)) if role < needed => Err(Problem::forbidden(format!(
                "the token is that of {}: {} is allowed",
                role.secret(),
                needed.secrets()
            ))),
            Some(role) => Ok(role),
        }
    }

    /// The highest role of a token. The token is compared with every secret, in a time that does
    /// not tell how much of it is right.
    fn role(&self, token: &str) -> Option<Role> {
        let equal = |secret: &String| bool::from(secret.as_bytes().ct_eq(token.as_bytes()));
        let known = self.secrets.each_ref().map(|secret| secret.as_ref().is_some_and(equal));
        Role::ALL.into_iter().zip(known).filter_map(|(role, known)| known.then_some(role)).max()
    }

    fn refusal(&self, needed: Role, found: &str) -> Problem {
        let set = self.secrets[needed as usize..].iter().any(Option::is_some);
        let allowed = needed.secrets();
        let detail = match needed {
            _ if set => format!("{found}: send Bearer and the value of {allowed}"),
            Role::Issue => format!(
                "{found}: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as Bearer, or set \
                 EDGEFLAKE_PUBLIC_ISSUE = \"true\" to let everybody in"
            ),
            _ => format!("{found}: set the secret {} and send it as Bearer", needed.secret()),
        };
        Problem::unauthorized(detail, needed.secret())
    }
}

/// The token of a header `Authorization`, whose scheme may be written in any case.
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(variables: &[(&str, &str)]) -> Access {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        Access::read(&variable).unwrap()
    }

    const ALL: &[(&str, &str)] = &[
        ("EDGEFLAKE_ISSUE_TOKEN", "i"),
        ("EDGEFLAKE_LEASE_TOKEN", "l"),
        ("EDGEFLAKE_ADMIN_TOKEN", "admin"),
    ];

    #[test]
    fn a_higher_role_includes_the_lower() {
        let access = access(ALL);
        for (token, role) in [("i", Role::Issue), ("l", Role::Lease), ("admin", Role::Admin)] {
            for needed in Role::ALL {
                let admitted = access.admit(needed, || Some(format!("Bearer {token}")));
                assert_eq!(admitted.ok(), (role >= needed).then_some(Some(role)), "{token}");
            }
        }
    }

    #[test]
    fn no_other_header_is_admitted() {
        let access = access(ALL);
        for header in [
            None,
            Some(""),
            Some("i"),
            Some("Bearer"),
            Some("Bearer "),
            Some("Bearer I"),
            Some("Bearer ii"),
            Some("Bearer admi"),
            Some("Basic i"),
        ] {
            let header = header.map(str::to_owned);
            assert!(access.admit(Role::Issue, || header.clone()).is_err(), "{header:?}");
        }
        assert!(access.admit(Role::Issue, || Some("bearer  i ".to_owned())).is_ok());
    }

    #[test]
    fn who_is_let_in_without_a_token() {
        for (variables, public) in [
            (&[][..], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "false")], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true")], true),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true"), ("EDGEFLAKE_ISSUE_TOKEN", "i")], false),
            (&[("EDGEFLAKE_PUBLIC_ISSUE", "true"), ("EDGEFLAKE_ADMIN_TOKEN", "a")], true),
        ] {
            let access = access(variables);
            assert_eq!(access.admit(Role::Issue, || None).is_ok(), public, "{variables:?}");
            assert!(access.admit(Role::Lease, || None).is_err(), "{variables:?}");
            assert!(access.admit(Role::Admin, || None).is_err(), "{variables:?}");
        }
    }

    #[test]
    fn an_empty_secret_is_none() {
        let access = access(&[("EDGEFLAKE_ISSUE_TOKEN", ""), ("EDGEFLAKE_ADMIN_TOKEN", " ")]);
        for header in ["Bearer ", "Bearer  ", ""] {
            assert!(access.admit(Role::Issue, || Some(header.to_owned())).is_err());
        }
    }

    #[test]
    fn refusals_say_what_to_set() {
        let detail = |variables, needed, header: Option<&str>| {
            let header = header.map(str::to_owned);
            access(variables).admit(needed, || header).unwrap_err().detail.clone()
        };
        assert_eq!(
            detail(&[], Role::Issue, None),
            "there is no header Authorization: set the secret EDGEFLAKE_ISSUE_TOKEN and send it as \
             Bearer, or set EDGEFLAKE_PUBLIC_ISSUE = \"true\" to let everybody in"
        );
        assert_eq!(
            detail(&[("EDGEFLAKE_ISSUE_TOKEN", "i")], Role::Lease, Some("Basic i")),
            "the header Authorization has another scheme: set the secret EDGEFLAKE_LEASE_TOKEN and \
             send it as Bearer"
        );
        assert_eq!(
            detail(ALL, Role::Issue, Some("Bearer x")),
            "the token is not known: send Bearer and the value of EDGEFLAKE_ISSUE_TOKEN, \
             EDGEFLAKE_LEASE_TOKEN or EDGEFLAKE_ADMIN_TOKEN"
        );
        assert_eq!(
            detail(ALL, Role::Admin, Some("Bearer l")),
            "the token is that of EDGEFLAKE_LEASE_TOKEN: EDGEFLAKE_ADMIN_TOKEN is allowed"
        );
        let wrong = |_: &str| Some("yes".to_owned());
        assert_eq!(
            Access::read(&wrong).err().unwrap(),
            r#"EDGEFLAKE_PUBLIC_ISSUE is "yes": "true" and "false" are allowed"#
        );
    }
}
