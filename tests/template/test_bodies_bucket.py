"""The bucket of page bodies: accessible to the functions only, and retained when the stack is deleted."""

from __future__ import annotations

from tests.template.translation import properties, resources

BUCKET = "BodiesBucket"
SETTINGS = properties("AWS::S3::Bucket")[BUCKET]


def test_the_bodies_survive_the_stack() -> None:
    resource = resources("AWS::S3::Bucket")[BUCKET]

    assert resource["DeletionPolicy"] == resource["UpdateReplacePolicy"] == "Retain"


def test_the_bodies_are_encrypted() -> None:
    (rule,) = SETTINGS["BucketEncryption"]["ServerSideEncryptionConfiguration"]

    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"


def test_no_other_account_reads_a_body() -> None:
    assert SETTINGS["PublicAccessBlockConfiguration"] == {
        "BlockPublicAcls": True,
        "BlockPublicPolicy": True,
        "IgnorePublicAcls": True,
        "RestrictPublicBuckets": True,
    }
    assert SETTINGS["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}


def test_the_bucket_keeps_no_versions_of_unchanging_bodies() -> None:
    assert "VersioningConfiguration" not in SETTINGS


def test_unfinished_uploads_are_deleted() -> None:
    rule, *_ = SETTINGS["LifecycleConfiguration"]["Rules"]  # the others are retention

    assert rule["Status"] == "Enabled"
    assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    assert not [name for name in rule if "Expiration" in name or "Transition" in name]


def test_the_bucket_is_spoken_to_over_tls_only_and_its_policy_grants_nothing() -> None:
    policy = properties("AWS::S3::BucketPolicy")["BodiesBucketPolicy"]
    (statement,) = policy["PolicyDocument"]["Statement"]

    assert policy["Bucket"] == {"Ref": BUCKET}
    assert statement["Effect"] == "Deny"
    assert statement["Principal"] == "*"
    assert statement["Action"] == "s3:*"
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert {str(each) for each in statement["Resource"]} == {
        str({"Fn::GetAtt": [BUCKET, "Arn"]}),
        str({"Fn::Sub": f"${{{BUCKET}.Arn}}/*"}),
    }
