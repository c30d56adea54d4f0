// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IDepositPolicies} from "../../../../contracts/interfaces/receiver/policies/IDepositPolicies.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {ExpiryCoSignature} from "../../../../contracts/receiver/policies/ExpiryCoSignature.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {Signing} from "../../support/Signing.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title DataDesk
/// @notice The co-signature under a second policy with data: a word of its own, at the end.
contract DataDesk is ExpiryCoSignature {
    constructor(address owner_) TwoStepOwner(owner_) {}

    function checkPolicy(uint256 index, Attempt calldata attempt) external view returns (bool) {
        return _checkPolicy(index, attempt);
    }

    function authorize(bytes32 id, bytes calldata policyData) external {
        _requireAuthorized(_authorize(id, address(0), address(0), 0, policyData));
    }

    function _authorize(
        bytes32 id,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override returns (bytes32) {
        return super._authorize(id, depositor, currency, amount, policyData[:policyData.length - 32]);
    }

    function _policyDataLength() internal pure override returns (uint256) {
        return super._policyDataLength() + 32;
    }

    function _checkSolver(bytes32, bytes calldata) internal view override returns (address, address) {
        return (address(this), address(this));
    }
}

/// @title ExpiryCoSignatureTest
/// @notice The integrator's co-signature binds request, deadline, contract and chain.
contract ExpiryCoSignatureTest is Signing {
    uint256 private constant KEY = uint256(keccak256("the integrator's key"));
    address private immutable SIGNER = VM.addr(KEY);

    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
        _desk.setCoSigner(SIGNER);
    }

    function testFuzz_DigestIsThatOfThePlainTypedData(bytes32 id, uint256 deadline) public view {
        _assertEq(_desk.expiryDigest(id, deadline), _expiryDigest(address(_desk), id, deadline));
    }

    // @spec signature/expiry
    function testFuzz_AnExpirySignedByTheCoSignerPassesUntilItsLastSecond(
        bytes32 id,
        uint256 deadline
    ) public {
        deadline = _bound(deadline, block.timestamp, type(uint64).max);
        PolicyDesk.CoSignature memory coSignature = _coSigned(
            _expiryDigest(address(_desk), id, deadline),
            deadline
        );
        _desk.checkExpiry(id, coSignature);
        VM.warp(deadline);
        _desk.checkExpiry(id, coSignature);
        VM.warp(deadline + 1);
        bytes4 selector = IExpiryCoSignature.DepositExpired.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, deadline, deadline + 1));
        _desk.checkExpiry(id, coSignature);
    }

    function testFuzz_TheLensReadsTheCoSignatureBeforeTheDataOfAnotherPolicy(
        bytes32 id,
        uint256 deadline,
        bytes32 ofOther
    ) public {
        deadline = _live(deadline);
        DataDesk desk = new DataDesk(address(this));
        desk.setCoSigner(SIGNER);
        bytes memory coSignature = abi.encode(
            _coSigned(_expiryDigest(address(desk), id, deadline), deadline)
        );
        bytes memory data = bytes.concat(coSignature, ofOther);
        desk.authorize(id, data);
        IDepositPolicies.Attempt memory attempt;
        (attempt.requestId, attempt.signature) = (id, data);
        _assertEq(desk.checkPolicy(0, attempt), true);
        _assertEq(desk.checkPolicy(1, attempt), false);
    }

    function testFuzz_RevertWhen_RequestOrDeadlineDiffers(
        bytes32 id,
        uint256 deadline,
        uint256 other,
        bool isId
    ) public {
        deadline = _live(deadline);
        PolicyDesk.CoSignature memory coSignature = _coSigned(
            _expiryDigest(address(_desk), id, deadline),
            deadline
        );
        if (isId) id ^= bytes32(_bound(other, 1, type(uint256).max));
        else coSignature.deadline = _live(other);
        VM.assume(isId || coSignature.deadline != deadline);
        VM.expectRevert(_notCoSigned(_expiryDigest(address(_desk), id, coSignature.deadline), coSignature));
        _desk.checkExpiry(id, coSignature);
    }

    function testFuzz_RevertWhen_AnotherContractsCoSignatureIsUsed(bytes32 id, uint256 deadline) public {
        deadline = _live(deadline);
        PolicyDesk other = new PolicyDesk(address(this));
        PolicyDesk.CoSignature memory coSignature = _coSigned(
            _expiryDigest(address(other), id, deadline),
            deadline
        );
        VM.expectRevert(_notCoSigned(_expiryDigest(address(_desk), id, deadline), coSignature));
        _desk.checkExpiry(id, coSignature);
    }

    function testFuzz_AfterAForkTheOldCoSignatureIsRefusedAndANewOnePasses(
        bytes32 id,
        uint256 deadline,
        uint64 forkId
    ) public {
        VM.assume(forkId != block.chainid);
        deadline = _live(deadline);
        PolicyDesk.CoSignature memory before = _coSigned(
            _expiryDigest(address(_desk), id, deadline),
            deadline
        );
        _desk.checkExpiry(id, before);

        VM.chainId(forkId);
        bytes32 digest = _expiryDigest(address(_desk), id, deadline);
        _assertEq(_desk.expiryDigest(id, deadline), digest);
        VM.expectRevert(_notCoSigned(digest, before));
        _desk.checkExpiry(id, before);
        _desk.checkExpiry(id, _coSigned(digest, deadline));
    }

    function testFuzz_RevertWhen_SLiesInTheUpperHalf(bytes32 id, bytes32 r, uint256 s) public {
        // 255 bits hold `s` here, the top bit the parity of `y`.
        s = _bound(s, CURVE_ORDER / 2 + 1, type(uint256).max >> 1);
        uint256[2] memory highs = [CURVE_ORDER / 2 + 1, s];
        for (uint256 i; i < 4; ++i) {
            bytes32 high = bytes32(highs[i / 2]);
            bytes32 vs = high | bytes32((i % 2) << 255);
            VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
            _desk.checkExpiry(id, PolicyDesk.CoSignature({deadline: block.timestamp, r: r, vs: vs}));
        }
    }

    function test_SAtHalfTheCurveOrderIsRead() public {
        PolicyDesk.CoSignature memory coSignature;
        coSignature.deadline = block.timestamp;
        (coSignature.r, coSignature.vs) = (bytes32(uint256(1)), bytes32(CURVE_ORDER / 2));
        VM.expectRevert(_notCoSigned(_desk.expiryDigest(0, block.timestamp), coSignature));
        _desk.checkExpiry(0, coSignature);
    }

    function test_RevertWhen_TheCoSignerIsTheContractItself() public {
        VM.expectRevert(
            abi.encodeWithSelector(IExpiryCoSignature.CoSignerCannotSign.selector, address(_desk))
        );
        _desk.setCoSigner(address(_desk));
        _assertEq(_desk.coSigner(), SIGNER);
    }

    function test_RevertWhen_TheSignatureRecoversTheZeroAddress() public {
        PolicyDesk.CoSignature memory empty;
        empty.deadline = block.timestamp;
        VM.expectRevert(abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, address(0), SIGNER));
        _desk.checkExpiry(0, empty);
    }

    function testFuzz_WithoutACoSignerAnyCoSignaturePasses(
        bytes32 id,
        PolicyDesk.CoSignature memory coSignature
    ) public {
        _desk.setCoSigner(address(0));
        _assertEq(_desk.coSigner(), address(0));
        _desk.checkExpiry(id, coSignature);
    }

    function testFuzz_ReplacedCoSignersSignaturesAreRefusedAtOnce(bytes32 id, uint256 deadline) public {
        deadline = _live(deadline);
        PolicyDesk.CoSignature memory coSignature = _coSigned(
            _expiryDigest(address(_desk), id, deadline),
            deadline
        );
        address next = _account("next");
        _desk.setCoSigner(next);
        VM.expectRevert(abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, SIGNER, next));
        _desk.checkExpiry(id, coSignature);
    }

    function _notCoSigned(
        bytes32 digest,
        PolicyDesk.CoSignature memory c
    ) private view returns (bytes memory) {
        uint8 v = uint8(27 + (uint256(c.vs) >> 255));
        address recovered = ecrecover(digest, v, c.r, bytes32((uint256(c.vs) << 1) >> 1));
        return abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, recovered, SIGNER);
    }

    function _coSigned(
        bytes32 digest,
        uint256 deadline
    ) private pure returns (PolicyDesk.CoSignature memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(KEY, digest);
        return PolicyDesk.CoSignature({deadline: deadline, r: r, vs: _yParityAndS(v, s)});
    }

    function _expiryDigest(address desk, bytes32 id, uint256 deadline) private view returns (bytes32) {
        bytes32 typehash = keccak256("Expiry(bytes32 requestId,uint256 deadline)");
        return _typedDigest("Waybill", desk, keccak256(abi.encode(typehash, id, deadline)));
    }

    /// @dev A deadline that has not passed.
    function _live(uint256 seed) private view returns (uint256) {
        return _bound(seed, block.timestamp, type(uint256).max);
    }
}
